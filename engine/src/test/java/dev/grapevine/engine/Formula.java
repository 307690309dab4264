package dev.grapevine.engine;

/** The numbers of formula.py: both sides compute inputs and parameters instead of storing them. */
public final class Formula {

  private Formula() {}

  /** 24 well mixed bits for a position. */
  private static int bits(int seed, int position) {
    int h = position * 0x9E3779B9 + seed * 0x85EBCA6B;
    h ^= h >>> 16;
    h *= 0x7FEB352D;
    h ^= h >>> 15;
    h *= 0x846CA68B;
    h ^= h >>> 16;
    return h >>> 8;
  }

  /** A value in [-1, 1). */
  public static float signed(int seed, int position) {
    return bits(seed, position) * 0x1p-23f - 1f;
  }

  public static float[] signed(int seed, int position, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = signed(seed, position + i);
    }
    return values;
  }

  /** A whole number in [0, bound). */
  public static int whole(int seed, int position, int bound) {
    return bits(seed, position) % bound;
  }

  /** Fills one block: weights of the size PyTorch starts with, scales near 1, biases near 0. */
  public static void parameter(int seed, ParameterBlock block, float[] vector) {
    int[] shape = block.shape();
    int size = block.size();
    float scale = shape.length > 1 ? (float) (1 / Math.sqrt(size / shape[0])) : 0.1f;
    String name = block.name();
    boolean nearOne =
        shape.length == 1 && (name.endsWith("weight") || name.endsWith("running_var"));
    for (int i = 0; i < size; i++) {
      float value = signed(seed, i) * scale;
      vector[block.offset() + i] = nearOne ? value + 1 : value;
    }
  }
}
