package dev.grapevine.sharing;

/**
 * Builds the encodings of a node's further vectors, as the experiment's sharing scheme has them.
 */
@FunctionalInterface
public interface Encodings {

  /** A fresh encoding of {@code vector}, whose state is called {@code name}. */
  Encoding of(String name, float[] vector);
}
