package dev.grapevine.engine.layer;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A learned vector for each token: ids become a sequence of vectors. PyTorch's start, normal with
 * deviation 1.
 *
 * @param input the ids of one sample
 * @param tokens number of different ids
 * @param dimensions of a vector
 * @param padding id whose vector starts at zero and is never trained, or null
 */
public record Embedding(Shape input, int tokens, int dimensions, @Nullable Integer padding)
    implements Layer {

  public Embedding {
    if (!(input instanceof Shape.Flat)) {
      throw new IllegalArgumentException("an embedding wants a list of ids: input=" + input);
    }
    if (tokens < 1 || dimensions < 1) {
      throw new IllegalArgumentException(
          "must be positive: tokens=%d, dimensions=%d".formatted(tokens, dimensions));
    }
    if (padding != null && (padding < 0 || padding >= tokens)) {
      throw new IllegalArgumentException(
          "padding out of range: padding=%d, expected=0..%d".formatted(padding, tokens - 1));
    }
  }

  @Override
  public Shape output() {
    return new Shape.Sequence(input.size(), dimensions);
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(new Parameter("weight", new int[] {tokens, dimensions}, this::start));
  }

  private void start(float[] parameters, int offset, int size, RandomGenerator random) {
    Initialization.normal(1).fill(parameters, offset, size, random);
    if (padding != null) {
      int from = offset + padding * dimensions;
      Arrays.fill(parameters, from, from + dimensions, 0f);
    }
  }

  @Override
  public Pass pass(Binding binding) {
    return new EmbeddingPass(this, binding);
  }
}
