package dev.grapevine.compression.transform;

import dev.grapevine.compression.Transform;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;

/** Parameters as they are. */
@Kind(name = "identity", summary = "the parameters as they are")
public final class Identity implements Transform {

  @Override
  public int size(int length) {
    return length;
  }

  @Override
  public void forward(float[] x, float[] coefficients, Scratch scratch) {
    System.arraycopy(x, 0, coefficients, 0, x.length);
  }

  @Override
  public void inverse(float[] coefficients, float[] x, Scratch scratch) {
    System.arraycopy(coefficients, 0, x, 0, x.length);
  }
}
