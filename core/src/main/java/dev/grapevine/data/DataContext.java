package dev.grapevine.data;

import java.nio.file.Path;

/**
 * What a data set or partitioner knows besides its settings.
 *
 * @param dataDirectory the cache folder, see {@link dev.grapevine.data.fetch.DataDirectory}
 * @param seed the seed of generated sets and of splits that a set makes itself
 * @param baseDirectory what relative paths in the settings are relative to: where the experiment
 *     file stands
 */
public record DataContext(Path dataDirectory, long seed, Path baseDirectory) {

  /** A path of the settings as a real one. */
  public Path resolve(String path) {
    return baseDirectory.resolve(path).normalize();
  }
}
