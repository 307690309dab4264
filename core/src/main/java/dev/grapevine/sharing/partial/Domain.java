package dev.grapevine.sharing.partial;

import dev.grapevine.compression.Transform;
import dev.grapevine.compression.transform.Fourier;
import dev.grapevine.compression.transform.Identity;
import dev.grapevine.scratch.Scratch;
import java.util.Arrays;

/**
 * What a coordinate is: a parameter, or a coefficient of a linear transform. What is picked and
 * positioned is a unit, of one value or, for complex coefficients, of two.
 *
 * @param transform how to get there
 * @param size number of coordinates
 * @param valuesPerUnit how many neighbouring coordinates are picked together
 */
public record Domain(Transform transform, int size, int valuesPerUnit) {

  /** The domain of a transform of vectors of {@code length}. */
  public static Domain of(Transform transform, int length) {
    return new Domain(transform, transform.size(length), transform instanceof Fourier ? 2 : 1);
  }

  /** Whether coordinates are the parameters themselves. */
  boolean isIdentity() {
    return transform instanceof Identity;
  }

  /** The coordinates of a vector: the vector itself, or an array of the scratch. */
  float[] of(float[] vector, Scratch scratch) {
    if (isIdentity()) {
      return vector;
    }
    float[] coefficients = scratch.floats("sharing.coordinates", size);
    transform.forward(vector, coefficients, scratch);
    return coefficients;
  }

  /** A fresh copy of a vector's coordinates. */
  float[] copyOf(float[] vector) {
    try (Scratch scratch = new Scratch()) {
      return Arrays.copyOf(of(vector, scratch), size);
    }
  }

  /** Lists the coordinates of the units that {@code indices} begins with; returns how many. */
  int expand(int[] indices, int units) {
    if (valuesPerUnit > 1) {
      for (int i = units - 1; i >= 0; i--) {
        for (int value = valuesPerUnit - 1; value >= 0; value--) {
          indices[i * valuesPerUnit + value] = indices[i] * valuesPerUnit + value;
        }
      }
    }
    return units * valuesPerUnit;
  }

  /** Changes a vector by what a change of its coordinates stands for. */
  void add(float[] delta, float[] vector, Scratch scratch) {
    float[] change = delta;
    if (!isIdentity()) {
      // The inverse is linear: adding the change's inverse equals inverting the changed whole, and
      // leaves alone what did not change. It takes the length from the array, which must be exact.
      change = scratch.exactFloats("domain.change", vector.length);
      transform.inverse(delta, change, scratch);
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] += change[i];
    }
  }
}
