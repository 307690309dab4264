package dev.grapevine.app.trial;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.engine.Batch;
import dev.grapevine.settings.Choice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What every data set promises. */
final class DataPromises {

  private static final int LOOKED_AT = 1000;

  private DataPromises() {}

  static List<Finding> of(Choice<DataContext, DataSource> choice) {
    DataContext context = new DataContext(DataDirectory.locate(), 7, Path.of("").toAbsolutePath());
    DataSplits once = choice.create(context).load();
    DataSplits again = choice.create(context).load();
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.of("has samples for testing", once.test().size() > 0 ? "" : "none"));
    for (DataSet set : List.of(once.train(), once.test())) {
      String part = set == once.train() ? "training" : "test";
      DataSet other = set == once.train() ? again.train() : again.test();
      findings.add(Finding.of(part + " samples are the same every time", same(set, other)));
      findings.add(Finding.of(part + " samples are finite, their classes known", sound(set)));
    }
    findings.add(
        Finding.note(
            "size",
            "%d training and %d test samples of %s, %s"
                .formatted(
                    once.train().size(),
                    once.test().size(),
                    Arrays.toString(once.train().inputShape()),
                    once.train().classes() == 0 ? "values" : once.train().classes() + " classes")));
    return findings;
  }

  private static String same(DataSet one, DataSet other) {
    if (one.size() != other.size()) {
      return "%d samples, then %d; randomness must come from context.seed()"
          .formatted(one.size(), other.size());
    }
    Batch first = one.batch(1);
    Batch second = other.batch(1);
    for (int i = 0; i < Math.min(LOOKED_AT, one.size()); i++) {
      one.read(i, first, 0);
      other.read(i, second, 0);
      if (!Arrays.equals(first.inputs(), second.inputs())
          || !Arrays.equals(first.targets(), second.targets())) {
        return "sample %d differs; randomness must come from context.seed()".formatted(i);
      }
    }
    return "";
  }

  private static String sound(DataSet set) {
    Batch batch = set.batch(1);
    for (int i = 0; i < Math.min(LOOKED_AT, set.size()); i++) {
      set.read(i, batch, 0);
      for (float value : batch.inputs()) {
        if (!Float.isFinite(value)) {
          return "sample %d holds %s".formatted(i, value);
        }
      }
      if (set.classes() > 0 && (set.label(i) < 0 || set.label(i) >= set.classes())) {
        return "sample %d is of class %d of %d".formatted(i, set.label(i), set.classes());
      }
    }
    return "";
  }
}
