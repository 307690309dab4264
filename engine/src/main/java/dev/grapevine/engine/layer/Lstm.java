package dev.grapevine.engine.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * Long short-term memory (Hochreiter and Schmidhuber, Neural Computation 1997; with the forget gate
 * of Gers et al. 2000) as PyTorch computes it: gates in the order input, forget, candidate, output,
 * two bias vectors, start at zero state.
 *
 * <pre>
 *   i, f, o = σ(W x + U h + b),   g = tanh(W x + U h + b)
 *   c ← f·c + i·g,   h ← o·tanh(c)
 * </pre>
 *
 * @param input a sequence of vectors
 * @param hidden length of the state
 * @param levels layers stacked upon each other
 * @param allStates whether the output is the sequence of all states of the last level, or its last
 *     state alone
 */
public record Lstm(Shape input, int hidden, int levels, boolean allStates) implements Layer {

  public Lstm {
    if (!(input instanceof Shape.Sequence)) {
      throw new IllegalArgumentException("an LSTM wants a sequence: input=" + input);
    }
    if (hidden < 1 || levels < 1) {
      throw new IllegalArgumentException(
          "must be positive: hidden=%d, levels=%d".formatted(hidden, levels));
    }
  }

  int length() {
    return input.width();
  }

  /** Length of the vectors that a level reads. */
  int features(int level) {
    return level == 0 ? input.channels() : hidden;
  }

  @Override
  public Shape output() {
    return allStates ? new Shape.Sequence(length(), hidden) : new Shape.Flat(hidden);
  }

  @Override
  public List<Parameter> parameters() {
    Initialization start = Initialization.fanIn(hidden);
    List<Parameter> parameters = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      int gates = Math.multiplyExact(4, hidden);
      String suffix = "_l" + level;
      parameters.add(
          new Parameter("weight_ih" + suffix, new int[] {gates, features(level)}, start));
      parameters.add(new Parameter("weight_hh" + suffix, new int[] {gates, hidden}, start));
      parameters.add(new Parameter("bias_ih" + suffix, new int[] {gates}, start));
      parameters.add(new Parameter("bias_hh" + suffix, new int[] {gates}, start));
    }
    return List.copyOf(parameters);
  }

  @Override
  public boolean needsWholeBatch() {
    return true;
  }

  @Override
  public long multiplyAdds() {
    long perStep = 0;
    for (int level = 0; level < levels; level++) {
      perStep += 4L * hidden * (features(level) + hidden);
    }
    return perStep * length();
  }

  @Override
  public Pass pass(Binding binding) {
    return new LstmPass(this, binding);
  }
}
