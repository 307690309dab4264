package dev.grapevine.engine.kernel;

/** A place in a float array; the kernel that works on it says how far it reads or writes. */
public record Slice(float[] values, int at) {

  /** The place {@code offset} values further on. */
  public Slice plus(int offset) {
    return new Slice(values, at + offset);
  }
}
