package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Some samples of another set, renumbered from 0. */
public final class Subset implements DataSet {

  private final DataSet whole;
  private final int[] samples;
  private final Users users;

  /**
   * @param samples numbers in {@code whole} of the samples to keep, in the new order
   */
  public Subset(DataSet whole, int[] samples) {
    this(whole, samples, users(whole, samples));
  }

  private Subset(DataSet whole, int[] samples, Users users) {
    this.whole = whole;
    this.samples = samples.clone();
    this.users = users;
  }

  private static Users users(DataSet whole, int[] samples) {
    if (whole.users().present()) {
      int[] ofSample = new int[samples.length];
      for (int i = 0; i < samples.length; i++) {
        ofSample[i] = whole.users().ofSample()[samples[i]];
      }
      return new Users(whole.users().names(), ofSample);
    }
    return Users.NONE;
  }

  /** The same samples, without the users who have none of them. */
  public Subset withUsersRenumbered() {
    Map<Integer, Integer> numbers = new LinkedHashMap<>();
    int[] ofSample = new int[users.ofSample().length];
    for (int i = 0; i < ofSample.length; i++) {
      ofSample[i] = numbers.computeIfAbsent(users.ofSample()[i], user -> numbers.size());
    }
    List<String> names = numbers.keySet().stream().map(users.names()::get).toList();
    return new Subset(whole, samples, new Users(names, ofSample));
  }

  /** What a sample is called in the whole. */
  int inWhole(int sample) {
    return samples[sample];
  }

  @Override
  public String name() {
    return whole.name();
  }

  @Override
  public int size() {
    return samples.length;
  }

  @Override
  public int classes() {
    return whole.classes();
  }

  @Override
  public int[] inputShape() {
    return whole.inputShape();
  }

  @Override
  public int label(int sample) {
    return whole.label(samples[sample]);
  }

  @Override
  public void read(int sample, Batch batch, int slot) {
    whole.read(samples[sample], batch, slot);
  }

  @Override
  public Users users() {
    return users;
  }

  @Override
  public int[] vocabulary() {
    return whole.vocabulary();
  }

  @Override
  public String className(int label) {
    return whole.className(label);
  }

  @Override
  public Optional<ImageFormat> image() {
    return whole.image();
  }

  @Override
  public int targetSize() {
    return whole.targetSize();
  }
}
