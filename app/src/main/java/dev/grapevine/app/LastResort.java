package dev.grapevine.app;

import dev.grapevine.UserException;
import dev.grapevine.results.WriteFailure;
import dev.grapevine.settings.OwnCode;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where every failure ends up that a command does not handle itself: one sentence for the user and
 * an exit code, never a stack trace. The trace of what nobody has foreseen goes to a file.
 */
public final class LastResort {

  private static final int MOST_CAUSES = 20;

  private LastResort() {}

  /** Tells the user; returns the exit code. */
  public static int report(Throwable failure, PrintWriter err) {
    Told told = told(failure);
    err.println(told.text());
    err.flush();
    return told.exitCode();
  }

  private record Told(String text, int exitCode) {}

  private static Told told(Throwable failure) {
    UserException mistake = cause(failure, UserException.class);
    if (mistake != null) {
      return new Told(String.valueOf(mistake.getMessage()), Grapevine.USER_MISTAKE);
    }
    SettingException setting = cause(failure, SettingException.class);
    if (setting != null) {
      return new Told(String.valueOf(setting.getMessage()), Grapevine.USER_MISTAKE);
    }
    if (cause(failure, OutOfMemoryError.class) != null) {
      return new Told(outOfMemory(), Grapevine.FAILED);
    }
    Optional<String> own = OwnCode.place(failure);
    if (own.isPresent()) {
      return new Told(
          "own code failed: %s%s".formatted(OwnCode.describe(innermost(failure)), where(failure)),
          Grapevine.FAILED);
    }
    UncheckedIOException io = cause(failure, UncheckedIOException.class);
    // One that only wraps another has the other's class and path for a message.
    if (io != null && !String.valueOf(io.getCause()).equals(io.getMessage())) {
      return new Told(String.valueOf(io.getMessage()), Grapevine.FAILED);
    }
    IOException file = cause(failure, IOException.class);
    if (file != null) {
      String path =
          file instanceof FileSystemException named && named.getFile() != null
              ? named.getFile() + ": "
              : "";
      return new Told(path + WriteFailure.text(file), Grapevine.FAILED);
    }
    return new Told(
        "this is a defect in Grapevine: %s%s"
            .formatted(
                OwnCode.describe(innermost(failure)).lines().findFirst().orElse(""),
                where(failure)),
        Grapevine.FAILED);
  }

  private static String outOfMemory() {
    return "out of memory: the heap of %d MiB is full; give more with GRAPEVINE_JAVA_OPTS=-Xmx8g, or"
            .formatted(Runtime.getRuntime().maxMemory() >> 20)
        + " take fewer nodes, a smaller model, smaller batches or fewer runs at a time";
  }

  /** The first of a kind among a failure and its causes. */
  private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> kind) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (kind.isInstance(cause)) {
        return kind.cast(cause);
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** What is at the bottom of it: wrappers tell less. */
  private static Throwable innermost(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause.getCause() != null && depth < MOST_CAUSES; depth++) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Writes the trace; says where. */
  private static String where(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    try {
      Path file = Files.createTempFile("grapevine-", ".log");
      Files.writeString(file, trace.toString());
      return "; the details are in " + file;
    } catch (IOException noRoom) {
      return "; the details could not be written";
    }
  }
}
