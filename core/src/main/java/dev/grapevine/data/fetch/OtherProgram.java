package dev.grapevine.data.fetch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Asks a program of the user's machine, when it is installed. */
final class OtherProgram {

  private OtherProgram() {}

  /** What the program prints, or nothing when it is missing or fails. */
  static Optional<String> output(List<String> command) {
    return output(command, Path.of("."));
  }

  static Optional<String> output(List<String> command, Path folder) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException missing) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
