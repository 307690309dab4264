package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Token sequences of one length, each with the class that follows from it (the next token, or a
 * verdict). Windows that slide over a text by one token share their storage.
 */
public final class SequenceSet implements DataSet {

  private final String name;
  private final int length;
  private final int vocabulary;
  private final int classes;
  private final char[] tokens;
  private final int[] starts;
  private final int[] labels;
  private final Users users;
  private final IntFunction<String> className;

  private SequenceSet(Builder builder, Users users) {
    name = builder.name;
    length = builder.length;
    vocabulary = builder.vocabulary;
    classes = builder.classes;
    tokens = Arrays.copyOf(builder.tokens, builder.used);
    starts = Arrays.copyOf(builder.starts, builder.size);
    labels = Arrays.copyOf(builder.labels, builder.size);
    this.users = users;
    className = builder.className;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return starts.length;
  }

  @Override
  public int classes() {
    return classes;
  }

  @Override
  public int[] inputShape() {
    return new int[] {length};
  }

  @Override
  public int[] vocabulary() {
    return new int[] {vocabulary};
  }

  @Override
  public int label(int sample) {
    return labels[sample];
  }

  @Override
  public String className(int label) {
    return className.apply(label);
  }

  @Override
  public Users users() {
    return users;
  }

  @Override
  public void read(int sample, Batch batch, int slot) {
    float[] inputs = batch.inputs();
    int from = starts[sample];
    int to = slot * length;
    for (int i = 0; i < length; i++) {
      inputs[to + i] = tokens[from + i];
    }
    batch.targets()[slot] = labels[sample];
  }

  /** Number of tokens stored for all windows together. */
  int storedTokens() {
    return tokens.length;
  }

  /** Collects sequences. */
  public static final class Builder {

    private final String name;
    private final int length;
    private final int vocabulary;
    private final int classes;
    private char[] tokens = new char[1 << 12];
    private int used;
    private int[] starts = new int[1 << 8];
    private int[] labels = new int[1 << 8];
    private int size;
    private IntFunction<String> className = Integer::toString;

    /**
     * @param length tokens per sequence
     * @param vocabulary token ids lie below it; at most 65,536
     * @param classes labels lie below it
     */
    public Builder(String name, int length, int vocabulary, int classes) {
      this.name = name;
      this.length = length;
      this.vocabulary = vocabulary;
      this.classes = classes;
    }

    /** Says what the classes are called. */
    public Builder classNames(IntFunction<String> names) {
      className = names;
      return this;
    }

    public int size() {
      return size;
    }

    /** Appends the sequence {@code sequence[offset .. offset + length)}. */
    public void add(int[] sequence, int offset, int label) {
      if (size == starts.length) {
        starts = Arrays.copyOf(starts, size * 2);
        labels = Arrays.copyOf(labels, size * 2);
      }
      starts[size] = place(sequence, offset);
      labels[size++] = label;
    }

    public void label(int sample, int label) {
      labels[sample] = label;
    }

    private int place(int[] sequence, int offset) {
      if (slidesByOne(sequence, offset)) {
        append(sequence[offset + length - 1]);
        return used - length;
      }
      int start = used;
      for (int i = 0; i < length; i++) {
        append(sequence[offset + i]);
      }
      return start;
    }

    private boolean slidesByOne(int[] sequence, int offset) {
      if (size == 0) {
        return false;
      }
      int last = starts[size - 1];
      for (int i = 0; i < length - 1; i++) {
        if (tokens[last + 1 + i] != sequence[offset + i]) {
          return false;
        }
      }
      return last + length == used;
    }

    private void append(int token) {
      if (used == tokens.length) {
        tokens = Arrays.copyOf(tokens, Math.multiplyExact(used, 2));
      }
      tokens[used++] = (char) token;
    }

    public SequenceSet build(Users users) {
      return new SequenceSet(this, users);
    }
  }
}
