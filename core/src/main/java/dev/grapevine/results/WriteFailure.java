package dev.grapevine.results;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why something could not be written, with the path said once. */
public final class WriteFailure {

  private WriteFailure() {}

  static UncheckedIOException of(Path file, IOException reason) {
    return new UncheckedIOException("cannot write %s: %s".formatted(file, text(reason)), reason);
  }

  /** The system's reason without the path, such as {@code No space left on device}. */
  public static String text(IOException reason) {
    return switch (reason) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "there is no such folder";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      case FileNotFoundException e ->
          String.valueOf(e.getMessage()).replaceFirst("^.*\\((.*)\\)$", "$1");
      case IOException e when e.getMessage() != null -> e.getMessage();
      default -> reason.getClass().getSimpleName();
    };
  }
}
