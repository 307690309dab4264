package dev.grapevine.app;

import dev.grapevine.data.fetch.DataDirectory;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that needs data sets: where they are kept. */
public final class DataFolder {

  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description =
          "Where data sets are kept (default: $GRAPEVINE_DATA, else grapevine in the user's cache"
              + " folder).")
  private @Nullable Path folder;

  /** As if it had been given so. */
  public static DataFolder of(Optional<Path> given) {
    DataFolder data = new DataFolder();
    data.folder = given.orElse(null);
    return data;
  }

  /** What was given, if anything was. */
  public Optional<Path> given() {
    return Optional.ofNullable(folder);
  }

  public Path path() {
    Path home = Path.of(System.getProperty("user.home", "."));
    return DataDirectory.locate(folder, System.getenv(), home);
  }
}
