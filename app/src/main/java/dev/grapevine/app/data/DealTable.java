package dev.grapevine.app.data;

import dev.grapevine.data.DataSet;
import java.io.PrintWriter;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Prints who has how much of what. */
final class DealTable {

  private static final int MOST_COLUMNS = 20;
  private static final int MOST_ROWS = 64;
  private static final int NAME_WIDTH = 8;

  private DealTable() {}

  static void print(Deal deal, DataSet train, PrintWriter out) {
    boolean showClasses = train.classes() > 0 && deal.classes() <= MOST_COLUMNS;
    out.printf("%6s%10s", "node", "samples");
    if (train.users().present()) {
      out.printf("%8s", "users");
    }
    if (train.classes() > 0) {
      out.printf("%9s", "classes");
    }
    if (showClasses) {
      out.print("  ");
      for (int label = 0; label < deal.classes(); label++) {
        out.printf(" %" + NAME_WIDTH + "s", shortened(train.className(label)));
      }
    }
    out.println();
    int rows = Math.min(deal.nodes(), MOST_ROWS);
    for (int node = 0; node < rows; node++) {
      row(deal, train, node, showClasses, out);
    }
    if (rows < deal.nodes()) {
      out.printf("%6s  and %d more nodes%n", "...", deal.nodes() - rows);
    }
    out.printf("%nsamples per node: %s%n", spread(deal, deal::samples));
    if (train.classes() > 0) {
      out.printf("classes per node: %s%n", spread(deal, deal::classesHeld));
    }
    if (train.users().present()) {
      out.printf("users per node:   %s%n", spread(deal, node -> deal.users()[node]));
    }
  }

  private static void row(
      Deal deal, DataSet train, int node, boolean showClasses, PrintWriter out) {
    out.printf("%6d%,10d", node, deal.samples(node));
    if (train.users().present()) {
      out.printf("%,8d", deal.users()[node]);
    }
    if (train.classes() > 0) {
      out.printf("%9d", deal.classesHeld(node));
    }
    if (showClasses) {
      out.print("  ");
      for (int count : deal.counts()[node]) {
        out.printf(" %" + NAME_WIDTH + "s", count == 0 ? "." : "%,d".formatted(count));
      }
    }
    out.println();
  }

  private static String spread(Deal deal, IntUnaryOperator quantity) {
    var facts = IntStream.range(0, deal.nodes()).map(quantity).summaryStatistics();
    return "%,d to %,d, mean %,.1f, total %,d"
        .formatted(facts.getMin(), facts.getMax(), facts.getAverage(), facts.getSum());
  }

  private static String shortened(String name) {
    return name.length() <= NAME_WIDTH ? name : name.substring(0, NAME_WIDTH - 1) + ".";
  }
}
