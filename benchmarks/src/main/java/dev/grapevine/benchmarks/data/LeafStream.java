package dev.grapevine.benchmarks.data;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.source.Femnist;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Writes a file in LEAF's layout, reads it and deletes it; to be run with a heap that is smaller
 * than the file. Prints megabytes (10^6 bytes) of file and of heap allowed, and seconds of reading.
 * Argument: megabytes.
 */
final class LeafStream {

  private LeafStream() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createTempDirectory("grapevine-leaf");
    Path large = folder.resolve("train").resolve("large.json");
    Path small = folder.resolve("test").resolve("small.json");
    try {
      int samples = write(large, Integer.parseInt(arguments[0]) * 1_000_000L);
      write(small, 1_000_000);
      long start = System.nanoTime();
      DataSplits splits =
          new Femnist(
                  new Femnist.Settings(Optional.of(folder.toString())),
                  new DataContext(folder, 1, folder))
              .load();
      double seconds = (System.nanoTime() - start) / 1e9;
      if (splits.train().size() != samples) {
        throw new IllegalStateException(
            "samples lost: read=%d, written=%d".formatted(splits.train().size(), samples));
      }
      System.out.println(
          Files.size(large) / 1e6 + " " + Runtime.getRuntime().maxMemory() / 1e6 + " " + seconds);
    } finally {
      for (Path file : new Path[] {large, small}) {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
      }
      Files.delete(folder);
    }
  }

  /** Writes users of 200 images each until the file is long enough. */
  private static int write(Path file, long bytes) throws IOException {
    Files.createDirectories(file.getParent());
    String image = ("[" + "0.9921568627450981, ".repeat(784)).replaceAll(", $", "]");
    long written = 0;
    int samples = 0;
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write("{\"users\": [], \"num_samples\": [], \"user_data\": {");
      for (int user = 0; written < bytes; user++) {
        writer.write((user == 0 ? "" : ", ") + "\"f" + user + "\": {\"x\": [");
        for (int i = 0; i < 200; i++, samples++) {
          writer.write(i == 0 ? image : ", " + image);
          written += image.length();
        }
        writer.write("], \"y\": [" + "7, ".repeat(199) + "7]}");
      }
      writer.write("}}");
    }
    return samples;
  }
}
