package dev.grapevine.data.source;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Own numbers: a CSV file with a header, a column with the class or value to learn, optionally one
 * with whom the row belongs to, and numbers in all others. Columns are standardised by the training
 * rows' mean and deviation.
 */
@Kind(name = "csv", summary = "own table: a CSV file with a column of classes or values to learn")
@Offer(access = Offer.Access.OWN_FILES, size = "4 bytes per number in memory", terms = "yours")
public final class Csv implements DataSource {

  /** What is to be learned. */
  public enum Task {
    CLASSES,
    VALUES
  }

  /**
   * @param file the table
   * @param testFile a second table for testing
   * @param testFraction share of the rows for testing without a second table
   * @param target name of the column to learn
   * @param userColumn name of the column with users
   * @param task classes or values
   * @param standardise whether to scale columns to mean 0 and deviation 1
   */
  public record Settings(
      @Doc("the table, with a header line") String file,
      @Doc("a second table for testing; left out: rows of the first") Optional<String> testFile,
      @Doc("share of the rows for testing when there is no second table, between 0 and 1")
          @Default("0.2")
          double testFraction,
      @Doc("name of the column to learn") @Default("label") String target,
      @Doc("name of the column that says whose a row is") Optional<String> userColumn,
      @Doc("whether the target is a class or a value") @Default("classes") Task task,
      @Doc("scale every column to mean 0 and deviation 1") @Default("true") boolean standardise) {
    public Settings {
      require(
          testFraction > 0 && testFraction < 1,
          "test-fraction",
          "test-fraction must lie between 0 and 1: test-fraction=" + testFraction);
    }
  }

  private static final long SPLIT = 1;

  private final Settings settings;
  private final DataContext context;

  public Csv(Settings settings, DataContext context) {
    this.settings = settings;
    this.context = context;
  }

  @Override
  public boolean present() {
    return Files.isReadable(context.resolve(settings.file()));
  }

  @Override
  public DataSplits load() {
    CsvTable table = new CsvTable(settings);
    CsvTable.Rows first = table.read(readable("file", settings.file()));
    Optional<CsvTable.Rows> second =
        settings.testFile().map(name -> table.read(readable("test-file", name)));
    if (second.isPresent()) {
      table.requireSameColumns();
      if (settings.standardise()) {
        CsvTable.standardise(first, first.all(), second.get());
      }
      return new DataSplits(table.build(first), table.build(second.get()));
    }
    int[] order =
        SplitMix.permutation(first.size(), new SplitMix(SplitMix.mix(context.seed(), SPLIT)));
    int forTest =
        (int)
            Math.clamp(
                Math.round(first.size() * settings.testFraction()),
                1,
                Math.max(1, first.size() - 1));
    boolean[] isTest = new boolean[first.size()];
    for (int i = 0; i < Math.min(forTest, order.length); i++) {
      isTest[order[i]] = true;
    }
    if (settings.standardise()) {
      CsvTable.standardise(first, row -> !isTest[row], first);
    }
    return DataSplits.divide(table.build(first), row -> isTest[row]);
  }

  private Path readable(String key, String name) {
    Path file = context.resolve(name);
    if (!Files.isReadable(file)) {
      throw new SettingException(key, "cannot read the file: %s=%s".formatted(key, file));
    }
    return file;
  }
}
