package dev.grapevine.data;

import dev.grapevine.UserException;
import dev.grapevine.data.fetch.Progress;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;

/** A data set that can be asked for by name, whether it is here already or must be fetched. */
public interface DataSource {

  Family<DataContext, DataSource> FAMILY =
      new Family<>(
          "data", DataSource.class, DataContext.class, "what is learned: the data set of a run");

  /**
   * Reads the set, checking it as it goes; called once per process.
   *
   * @throws UserException when files are missing or damaged, saying which and what to do
   */
  DataSplits load();

  /** Whether {@link #load} would find its files. */
  default boolean present() {
    return true;
  }

  /** Brings the set into the cache folder; does nothing when it is there. */
  default void fetch(Progress progress) {
    if (!present()) {
      throw new UserException(
          "%s cannot be fetched by Grapevine: see docs/data.md for how to get it, then name its folder (folder = \"...\")"
              .formatted(getClass().getAnnotation(Kind.class).name()));
    }
  }
}
