package dev.grapevine.engine.layer;

import java.util.List;

/**
 * Matrix factorization: a sample is a pair (user, item) of ids, counted from 0; the output is the
 * dot product of the two learned vectors. Koren, Bell and Volinsky, "Matrix Factorization
 * Techniques for Recommender Systems", IEEE Computer 2009. Starts uniform in ±0.05, as
 * decentralizepy does.
 *
 * @param input two ids
 * @param dimensions of a vector
 */
public record DotProduct(Shape input, int users, int items, int dimensions) implements Layer {

  public DotProduct {
    if (!(input instanceof Shape.Flat) || input.size() != 2) {
      throw new IllegalArgumentException("a dot product wants pairs of ids: input=" + input);
    }
    if (users < 1 || items < 1 || dimensions < 1) {
      throw new IllegalArgumentException(
          "must be positive: users=%d, items=%d, dimensions=%d"
              .formatted(users, items, dimensions));
    }
  }

  @Override
  public Shape output() {
    return new Shape.Flat(1);
  }

  @Override
  public List<Parameter> parameters() {
    Initialization start = Initialization.uniform(0.05);
    return List.of(
        new Parameter("user_factors.weight", new int[] {users, dimensions}, start),
        new Parameter("item_factors.weight", new int[] {items, dimensions}, start));
  }

  @Override
  public Pass pass(Binding binding) {
    return new DotProductPass(this, binding);
  }
}
