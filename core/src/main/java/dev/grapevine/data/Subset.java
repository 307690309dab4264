package dev.grapevine.data;

import dev.grapevine.engine.Batch;
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
    this.whole = whole;
    this.samples = samples.clone();
    if (whole.users().present()) {
      int[] ofSample = new int[samples.length];
      for (int i = 0; i < samples.length; i++) {
        ofSample[i] = whole.users().ofSample()[samples[i]];
      }
      users = new Users(whole.users().names(), ofSample);
    } else {
      users = Users.NONE;
    }
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
