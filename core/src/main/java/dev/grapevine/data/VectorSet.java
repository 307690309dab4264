package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import java.util.Arrays;
import java.util.List;

/** Plain float vectors with a class or a value as target. */
public final class VectorSet implements DataSet {

  private final String name;
  private final int dimensions;
  private final List<String> classNames;
  private final float[] values;
  private final float[] targets;
  private final Users users;

  /**
   * @param dimensions floats per sample
   * @param classNames what the classes are called; empty when targets are values
   * @param values sample after sample
   * @param targets one per sample: a class number or a value
   */
  public VectorSet(
      String name,
      int dimensions,
      List<String> classNames,
      float[] values,
      float[] targets,
      Users users) {
    if (values.length != Math.multiplyExact(dimensions, targets.length)) {
      throw new IllegalArgumentException(
          "values do not fit the targets: values=%d, dimensions=%d, targets=%d"
              .formatted(values.length, dimensions, targets.length));
    }
    this.name = name;
    this.dimensions = dimensions;
    this.classNames = List.copyOf(classNames);
    this.values = values;
    this.targets = targets;
    this.users = users;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return targets.length;
  }

  @Override
  public int classes() {
    return classNames.size();
  }

  @Override
  public int[] inputShape() {
    return new int[] {dimensions};
  }

  @Override
  public int label(int sample) {
    return classNames.isEmpty() ? 0 : (int) targets[sample];
  }

  @Override
  public String className(int label) {
    return classNames.get(label);
  }

  @Override
  public Users users() {
    return users;
  }

  @Override
  public void read(int sample, Batch batch, int slot) {
    System.arraycopy(values, sample * dimensions, batch.inputs(), slot * dimensions, dimensions);
    batch.targets()[slot] = targets[sample];
  }

  /** Collects vectors. */
  public static final class Builder {

    private final int dimensions;
    private float[] values;
    private float[] targets = new float[256];
    private int size;

    public Builder(int dimensions) {
      this.dimensions = dimensions;
      values = new float[Math.multiplyExact(256, dimensions)];
    }

    public int size() {
      return size;
    }

    public void add(float[] vector, float target) {
      if (size == targets.length) {
        targets = Arrays.copyOf(targets, Math.multiplyExact(size, 2));
        values = Arrays.copyOf(values, Math.multiplyExact(targets.length, dimensions));
      }
      System.arraycopy(vector, 0, values, size * dimensions, dimensions);
      targets[size++] = target;
    }

    public VectorSet build(String name, List<String> classNames, Users users) {
      return new VectorSet(
          name,
          dimensions,
          classNames,
          Arrays.copyOf(values, size * dimensions),
          Arrays.copyOf(targets, size),
          users);
    }
  }
}
