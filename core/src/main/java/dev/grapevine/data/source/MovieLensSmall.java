package dev.grapevine.data.source;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The CSV layout of MovieLens latest-small (and of its larger kin), each user's split 70 to 30. */
@Kind(
    name = "movielens-small",
    summary = "film ratings by user: ratings.csv of ml-latest-small, about 100,000 by 610 users",
    paper = "F. M. Harper, J. A. Konstan, The MovieLens Datasets, ACM TiiS 2015")
@Offer(access = Offer.Access.OWN_FILES, size = "2.5 MB", terms = "research use, no redistribution")
public final class MovieLensSmall implements DataSource {

  private static final String FILE = "ratings.csv";
  private static final List<String> COLUMNS = List.of("userId", "movieId", "rating");

  /**
   * @param folder a folder with ratings.csv
   */
  public record Settings(
      @Doc("folder with ratings.csv; left out: movielens-small in the cache")
          Optional<String> folder) {}

  private final SetFolder folder;
  private final long seed;

  public MovieLensSmall(Settings settings, DataContext context) {
    folder = SetFolder.of("movielens-small", settings.folder(), context, false);
    seed = context.seed();
  }

  @Override
  public boolean present() {
    return folder.has(FILE);
  }

  @Override
  public DataSplits load() {
    Path file = folder.require(FILE);
    Ratings ratings = new Ratings("movielens-small");
    try (CsvReader<NamedCsvRecord> records = CsvTable.reader().ofNamedCsvRecord(file)) {
      for (NamedCsvRecord record : records) {
        String where = file + ":" + record.getStartingLineNumber();
        if (!record.getHeader().containsAll(COLUMNS)
            || record.getFieldCount() < record.getHeader().size()) {
          throw new UserException(
              "%s: expected the columns %s; copy the file again".formatted(where, COLUMNS));
        }
        ratings.add(
            record.getField("userId"),
            record.getField("movieId"),
            record.getField("rating"),
            where);
      }
    } catch (IOException | de.siegmar.fastcsv.reader.CsvParseException failure) {
      throw new UserException(
          "%s: cannot be read: %s; copy it again".formatted(file, FileProblem.reason(failure)),
          failure);
    }
    return ratings.split(seed);
  }
}
