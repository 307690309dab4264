package dev.grapevine.app.data;

import dev.grapevine.data.fetch.Progress;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;

/** One line of progress, drawn over and over; whole lines when nobody watches a terminal. */
final class ProgressBar implements Progress, AutoCloseable {

  private static final int WIDTH = 30;
  private static final int BYTES_PER_MEGABYTE = 1_000_000;
  // Below this a total counts files or steps, not bytes.
  private static final long FEWEST_BYTES = 10_000;

  private final PrintWriter out;
  private final boolean live;
  private String step = "";
  private int drawn = -1;

  ProgressBar(PrintWriter out) {
    this(out, Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent());
  }

  ProgressBar(PrintWriter out, boolean live) {
    this.out = out;
    this.live = live;
  }

  @Override
  public void update(String step, long done, long total) {
    int permille = total > 0 ? (int) (done * 1000 / total) : 0;
    boolean changed = !step.equals(this.step);
    if (!changed && permille == drawn) {
      return;
    }
    if (changed) {
      close();
      this.step = step;
      if (!live) {
        out.println(step);
      }
    }
    drawn = permille;
    if (live) {
      out.print("\r" + line(step, done, total, permille));
    }
    out.flush();
  }

  static String line(String step, long done, long total, int permille) {
    if (total <= 0) {
      return step + " ...";
    }
    int full = permille * WIDTH / 1000;
    String amount =
        total < FEWEST_BYTES
            ? "%d of %d".formatted(done, total)
            : "%d of %d MB".formatted(done / BYTES_PER_MEGABYTE, total / BYTES_PER_MEGABYTE);
    return "%-30s [%s%s] %3d %%  %s"
        .formatted(step, "#".repeat(full), " ".repeat(WIDTH - full), permille / 10, amount);
  }

  @Override
  public void close() {
    if (live && !step.isEmpty()) {
      out.println();
    }
    step = "";
    drawn = -1;
    out.flush();
  }
}
