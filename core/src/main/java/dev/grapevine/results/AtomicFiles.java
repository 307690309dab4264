package dev.grapevine.results;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Whole files that are there in full or not at all, even when the machine stops midway. */
public final class AtomicFiles {

  private AtomicFiles() {}

  public static void write(Path file, String text) {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      // A stream and not a channel: an interrupt, which stops a run, would close a channel.
      try (FileOutputStream out = new FileOutputStream(partial.toFile())) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.getFD().sync();
      }
      Files.move(
          partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw WriteFailure.of(file, e);
    }
  }
}
