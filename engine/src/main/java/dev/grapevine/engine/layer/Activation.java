package dev.grapevine.engine.layer;

import org.jspecify.annotations.Nullable;

/**
 * What lies between two layers.
 *
 * @param value written by the layer before, read by the layer after
 * @param gradient of the loss with respect to the value; written (all of it) by the layer after,
 *     read by the layer before; null where nobody needs it, as for a model's input
 */
public record Activation(Plane value, @Nullable Plane gradient) {

  /** The gradient, where the caller knows that there is one. */
  public Plane requireGradient() {
    if (gradient == null) {
      throw new IllegalStateException("this activation has no gradient");
    }
    return gradient;
  }

  public boolean hasGradient() {
    return gradient != null;
  }
}
