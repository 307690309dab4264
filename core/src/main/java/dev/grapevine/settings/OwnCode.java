package dev.grapevine.settings;

import java.util.Arrays;
import java.util.Optional;

/**
 * Tells the user's own code, compiled from a single {@code .java} file, from everything else, so
 * that a failure can be shown where it stands in the user's file.
 */
public final class OwnCode {

  /** The name of the class loaders that own code has to itself. */
  static final String LOADER = "own";

  private static final int MOST_CAUSES = 20;

  private OwnCode() {}

  /** The innermost frame that is own code. */
  public static Optional<StackTraceElement> frame(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(frame -> LOADER.equals(frame.getClassLoaderName()))
        .findFirst();
  }

  /** Where own code had a part in a failure, as {@code MySharing.java:12}. */
  public static Optional<String> place(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      Optional<StackTraceElement> frame = frame(cause.getStackTrace());
      if (frame.isPresent()) {
        return frame.map(OwnCode::text);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** A frame as {@code MySharing.java:12}. */
  public static String text(StackTraceElement frame) {
    return frame.getFileName() + ":" + frame.getLineNumber();
  }

  /** What went wrong, in one line, with its place first where it is own code. */
  public static String describe(Throwable failure) {
    String message = failure.getMessage();
    String what =
        failure.getClass().getSimpleName() + (message == null ? "" : ": " + message.strip());
    return place(failure).map(place -> place + ": " + what).orElse(what);
  }
}
