package dev.grapevine.runtime;

import dev.grapevine.UserException;
import dev.grapevine.engine.DivergedException;
import dev.grapevine.runtime.fault.NodeFailure;
import dev.grapevine.settings.OwnCode;
import java.io.UncheckedIOException;

/** What a node's failure is called in words for the user. */
final class FailureText {

  private FailureText() {}

  static String of(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    return switch (thrown) {
      case NodeFailure _ -> message;
      case UserException _ -> message;
      case UncheckedIOException _ -> message;
      case DivergedException _ -> "diverged: " + message;
      case OutOfMemoryError _ ->
          "out of memory (%s; the heap is %d MiB): give more with GRAPEVINE_JAVA_OPTS=-Xmx8g, or"
                  .formatted(message, Runtime.getRuntime().maxMemory() >> 20)
              + " take fewer nodes, a smaller model or smaller batches";
      default -> OwnCode.describe(thrown);
    };
  }
}
