package dev.grapevine.engine;

import java.io.IOException;

/** A safetensors file that is damaged, or does not hold what the model needs. */
public final class SafetensorsException extends IOException {

  SafetensorsException(String message) {
    super(message);
  }

  SafetensorsException(String message, Throwable cause) {
    super(message, cause);
  }
}
