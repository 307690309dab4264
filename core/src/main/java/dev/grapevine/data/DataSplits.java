package dev.grapevine.data;

import dev.grapevine.random.SplitMix;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What is learned from and what is measured on.
 *
 * @param train dealt to the nodes
 * @param validation held out for choosing settings
 * @param test the same for all nodes
 */
public record DataSplits(DataSet train, Optional<DataSet> validation, DataSet test) {

  public DataSplits(DataSet train, DataSet test) {
    this(train, Optional.empty(), test);
  }

  /** Splits one set by a rule for sample numbers. */
  public static DataSplits divide(DataSet whole, IntPredicate isTest) {
    int[] test = IntStream.range(0, whole.size()).filter(isTest).toArray();
    int[] train = IntStream.range(0, whole.size()).filter(isTest.negate()).toArray();
    return new DataSplits(new Subset(whole, train), new Subset(whole, test));
  }

  /** Splits one set at random, a {@code fraction} of it (at least one sample) becoming the test. */
  public static DataSplits divide(DataSet whole, double fraction, RandomGenerator random) {
    boolean[] isTest = new boolean[whole.size()];
    for (int sample : drawn(whole.size(), fraction, random)) {
      isTest[sample] = true;
    }
    return divide(whole, sample -> isTest[sample]);
  }

  /** Takes a random part out of the training or the test set for validation. */
  public DataSplits withValidation(DataSettings settings, RandomGenerator random) {
    if (settings.validation() == 0) {
      return this;
    }
    return switch (settings.validationFrom()) {
      case TRAIN -> {
        DataSplits divided = divide(train, settings.validation(), random);
        yield new DataSplits(divided.train, Optional.of(divided.test), test);
      }
      case TEST -> {
        DataSplits divided = divide(test, settings.validation(), random);
        yield new DataSplits(train, Optional.of(divided.test), divided.train);
      }
    };
  }

  private static int[] drawn(int size, double fraction, RandomGenerator random) {
    int count = Math.clamp(Math.round(size * fraction), 1, Math.max(1, size - 1));
    return Arrays.copyOf(SplitMix.permutation(size, random), Math.min(count, size));
  }
}
