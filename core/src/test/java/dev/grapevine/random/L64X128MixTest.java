package dev.grapevine.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

final class L64X128MixTest {

  private static final int DRAWS = 200;

  private static RandomGenerator jdk(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** Seeds from the corners, then by lot. */
  private static long[] seeds() {
    long[] corners = {0, 1, -1, 2, 42, Long.MIN_VALUE, Long.MAX_VALUE, 0x6a09e667f3bcc909L};
    SplitMix lot = new SplitMix(20261116);
    long[] seeds = Arrays.copyOf(corners, 1000);
    for (int i = corners.length; i < seeds.length; i++) {
      seeds[i] = lot.nextLong();
    }
    return seeds;
  }

  private static void assertEqual(String what, Function<RandomGenerator, Object> draw) {
    for (long seed : seeds()) {
      RandomGenerator ours = new L64X128Mix(seed);
      RandomGenerator theirs = jdk(seed);
      for (int i = 0; i < DRAWS; i++) {
        if (!draw.apply(ours).equals(draw.apply(theirs))) {
          assertThat(ours).as("%s differs: seed=%d, draw=%d", what, seed, i).isNull();
        }
      }
    }
  }

  @Test
  void everyKindOfNumberIsTheJdksForManySeeds() {
    assertEqual("nextLong", RandomGenerator::nextLong);
    assertEqual("nextInt", RandomGenerator::nextInt);
    assertEqual("nextBoolean", RandomGenerator::nextBoolean);
    assertEqual("nextFloat", RandomGenerator::nextFloat);
    assertEqual("nextDouble", RandomGenerator::nextDouble);
    assertEqual("nextGaussian", RandomGenerator::nextGaussian);
    assertEqual("nextExponential", RandomGenerator::nextExponential);
    assertEqual("nextGaussian(mean, deviation)", random -> random.nextGaussian(3, 0.5));
    assertEqual("nextFloat(bound)", random -> random.nextFloat(7f));
    assertEqual("nextDouble(from, to)", random -> random.nextDouble(-3, 11));
    assertEqual("nextLong(bound)", random -> random.nextLong(1L << 40 | 12345));
    assertEqual("nextLong(from, to)", random -> random.nextLong(Long.MIN_VALUE, 5));
    assertEqual("nextInt(from, to)", random -> random.nextInt(-1_500_000_000, 1_500_000_000));
    for (int bound : new int[] {1, 2, 3, 10, 64, 1000, 1 << 30, (1 << 30) + 1, Integer.MAX_VALUE}) {
      assertEqual("nextInt(" + bound + ")", random -> random.nextInt(bound));
    }
  }

  @Test
  void bytesAndStreamsAreTheJdks() {
    for (long seed : seeds()) {
      byte[] ours = new byte[37];
      byte[] theirs = new byte[37];
      RandomGenerator own = new L64X128Mix(seed);
      RandomGenerator other = jdk(seed);
      own.nextBytes(ours);
      other.nextBytes(theirs);
      assertThat(ours).isEqualTo(theirs);
      assertThat(own.ints(20, 0, 9).toArray()).isEqualTo(other.ints(20, 0, 9).toArray());
      assertThat(own.doubles(20).toArray()).isEqualTo(other.doubles(20).toArray());
    }
  }

  @Test
  void aRestoredGeneratorGoesOnWhereTheOtherStopped() {
    L64X128Mix first = new L64X128Mix(7);
    for (int i = 0; i < 1000; i++) {
      first.nextGaussian();
    }
    long[] state = first.state();
    L64X128Mix second = new L64X128Mix(8);
    second.restore(state);
    assertThat(second.state()).isEqualTo(state);
    for (int i = 0; i < 1000; i++) {
      assertThat(second.nextGaussian()).isEqualTo(first.nextGaussian());
    }
  }

  @Test
  void theStateIsACopy() {
    L64X128Mix random = new L64X128Mix(7);
    long[] state = random.state();
    random.nextLong();
    assertThat(random.state()).isNotEqualTo(state);
    state[1]++;
    random.restore(state);
    state[1]++;
    assertThat(random.state()[1]).isEqualTo(state[1] - 1);
  }

  @Test
  void statesThatNoGeneratorHasAreRefused() {
    L64X128Mix random = new L64X128Mix(7);
    assertThatThrownBy(() -> random.restore(new long[3])).hasMessageContaining("length=3");
    assertThatThrownBy(() -> random.restore(new long[] {2, 1, 1, 1})).hasMessageContaining("a=2");
    assertThatThrownBy(() -> random.restore(new long[] {1, 1, 0, 0})).hasMessageContaining("x0=0");
  }
}
