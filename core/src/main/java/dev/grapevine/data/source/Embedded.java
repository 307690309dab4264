package dev.grapevine.data.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;

/** Data in the jar. */
final class Embedded {

  private Embedded() {}

  /** A packed resource of this package, unpacked. */
  static byte[] content(String name) {
    try (InputStream stream = Embedded.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new GZIPInputStream(stream).readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException("the jar is damaged: " + name, failure);
    }
  }
}
