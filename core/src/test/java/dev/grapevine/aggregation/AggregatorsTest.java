package dev.grapevine.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.aggregation.Heard.Weighted;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Known answers of byzfl's tests and of hand-made ones, and what every rule must keep. */
final class AggregatorsTest {

  private static final Registry REGISTRY = Registry.load();
  private static final Offset<Float> CLOSE = Offset.offset(1e-5f);
  private static final float[] FIRST = {1, 2, 3};
  private static final float[] SECOND = {4, 5, 6};
  private static final float[] THIRD = {7, 8, 9};
  private static final float[] FLIPPED = {-4, -5, -6};

  private static Aggregator rule(String kind, String settings) {
    return REGISTRY.choose(Aggregator.FAMILY, kind, settings).create();
  }

  static Stream<String> kinds() {
    return REGISTRY.kinds(Aggregator.FAMILY).stream().map(KindDescription::name);
  }

  /** A rule's settings in which it bears one liar. */
  private static Aggregator rule(String kind) {
    return rule(kind, "");
  }

  private static Heard heard(double selfWeight, double weight, float[]... others) {
    List<Weighted> updates = new ArrayList<>();
    for (int i = 0; i < others.length; i++) {
      updates.add(new Weighted(i + 1, weight, Update.ofVector(others[i], 0, others[i].length)));
    }
    return new Heard(0, selfWeight, Averaging.MIXING_WEIGHTS, updates);
  }

  private static float[] combine(Aggregator rule, float[] own, Heard heard) {
    float[] into = own.clone();
    try (Scratch scratch = new Scratch()) {
      rule.combine(into, into.length, heard, into, scratch);
    }
    return into;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weighted | | 4 | 5 | 6",
        "median | | 4 | 5 | 6",
        "trimmed-mean | bad = 1 | 4 | 5 | 6",
        "trimmed-mean | bad = 0 | 4 | 5 | 6",
      })
  void threeRows(String kind, String settings, float a, float b, float c) {
    Heard heard = heard(1.0 / 3, 1.0 / 3, SECOND, THIRD);
    assertThat(combine(rule(kind, settings == null ? "" : settings), FIRST, heard))
        .containsExactly(new float[] {a, b, c}, CLOSE);
  }

  @Test
  void trimmedMeanBearsASignFlip() {
    float[] flip = {-4, -5, -6};
    Heard heard = heard(0.25, 0.25, SECOND, THIRD, flip);
    assertThat(combine(rule("trimmed-mean", "bad = 1"), FIRST, heard))
        .containsExactly(new float[] {2.5f, 3.5f, 4.5f}, CLOSE);
  }

  /** From zero, as byzfl starts; the node's own vector is no candidate. */
  @Test
  void geometricMedianTakesThreeStepsFromZero() {
    Heard heard = heard(0, 1.0 / 3, FIRST, SECOND, THIRD);
    assertThat(combine(rule("geometric-median", "steps = 3"), new float[3], heard))
        .containsExactly(new float[] {3.78788764f, 4.78788764f, 5.78788764f}, CLOSE);
  }

  @Test
  void clippedGossipMovesByTheRadiusAtMost() {
    Heard heard = heard(0.25, 0.25, SECOND, THIRD, FLIPPED);
    assertThat(combine(rule("clipped-gossip", "radius = 3.0"), FIRST, heard))
        .containsExactly(new float[] {1.564818f, 2.444335f, 3.323852f}, CLOSE);
  }

  @Test
  void clippedGossipIsTheMeanWithAHugeRadiusAndNothingWithNone() {
    Heard heard = heard(0.25, 0.25, SECOND, THIRD, FLIPPED);
    assertThat(combine(rule("clipped-gossip", "radius = 1e9"), FIRST, heard))
        .containsExactly(combine(rule("weighted"), FIRST, heard), CLOSE);
    assertThat(combine(rule("clipped-gossip", "radius = 0.0"), FIRST, heard))
        .containsExactly(FIRST, CLOSE);
  }

  /**
   * S holds the node itself and the two nearest, of weight 0.75; τ² = (0.25·27 + 0.25·108) / 0.25.
   */
  @Test
  void clippedGossipFindsItsRadius() {
    Heard heard = heard(0.25, 0.25, SECOND, THIRD, new float[] {1001, 1002, 1003});
    float pull = (float) (0.25 * Math.sqrt(135) / Math.sqrt(3));
    assertThat(combine(rule("clipped-gossip"), FIRST, heard))
        .containsExactly(
            new float[] {1 + 2.25f + pull, 2 + 2.25f + pull, 3 + 2.25f + pull},
            Offset.offset(1e-3f));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void equalVectorsStayWhatTheyAre(String kind) {
    assertThat(combine(rule(kind), SECOND, heard(0.25, 0.25, SECOND, SECOND, SECOND)))
        .containsExactly(SECOND, CLOSE);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ordersTranslationsAndScalesDoNotMatter(String kind) {
    Random random = new Random(3);
    // The geometric median's least distance has a scale.
    float scale = kind.equals("geometric-median") ? 1 : 2;
    for (int trial = 0; trial < 50; trial++) {
      float[][] vectors = new float[6][40];
      for (float[] vector : vectors) {
        for (int i = 0; i < vector.length; i++) {
          vector[i] = 10 * (float) random.nextGaussian();
        }
      }
      double weight = 1.0 / 6;
      float[][] others = Arrays.copyOfRange(vectors, 1, 6);
      float[] plain = combine(rule(kind), vectors[0], heard(weight, weight, others));
      Collections.shuffle(Arrays.asList(others), random);
      assertThat(combine(rule(kind), vectors[0], heard(weight, weight, others)))
          .containsExactly(plain, Offset.offset(1e-3f));
      for (float[] vector : vectors) {
        for (int i = 0; i < vector.length; i++) {
          vector[i] = scale * vector[i] + 5;
        }
      }
      float[] moved = combine(rule(kind), vectors[0], heard(weight, weight, others));
      for (int i = 0; i < moved.length; i++) {
        assertThat(moved[i]).isCloseTo(scale * plain[i] + 5, Offset.offset(1e-3f));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"median", "trimmed-mean", "geometric-median", "clipped-gossip"})
  void aLiarDoesNotGetThrough(String kind) {
    for (float lie : new float[] {1e30f, -1e30f, Float.NaN, Float.POSITIVE_INFINITY}) {
      float[] lies = new float[3];
      Arrays.fill(lies, lie);
      float[] result = combine(rule(kind), FIRST, heard(0.2, 0.2, SECOND, THIRD, SECOND, lies));
      for (float value : result) {
        assertThat(value).as("%s says %s", kind, lie).isBetween(-5f, 20f);
      }
    }
  }

  /** What a sender left out is the node's own. */
  @ParameterizedTest
  @MethodSource("kinds")
  void aSparseUpdateIsTheNodesOwnWhereItIsSilent(String kind) {
    Random random = new Random(8);
    int size = 3000;
    float[] own = vector(size, random);
    List<Weighted> sparse = new ArrayList<>();
    List<Weighted> filled = new ArrayList<>();
    for (int sender = 1; sender < 5; sender++) {
      int[] indices = random.ints(0, size).distinct().limit(900).sorted().toArray();
      float[] values = vector(indices.length, random);
      float[] whole = own.clone();
      for (int i = 0; i < indices.length; i++) {
        whole[indices[i]] = values[i];
      }
      sparse.add(new Weighted(sender, 0.2, new Update.Sparse(indices, values, 0, indices.length)));
      filled.add(new Weighted(sender, 0.2, Update.ofVector(whole, 0, size)));
    }
    assertThat(combine(rule(kind), own, new Heard(0, 0.2, Averaging.MIXING_WEIGHTS, sparse)))
        .containsExactly(
            combine(rule(kind), own, new Heard(0, 0.2, Averaging.MIXING_WEIGHTS, filled)), CLOSE);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void nobodyHeardChangesNothing(String kind) {
    assertThat(combine(rule(kind), FIRST, heard(0, 0))).containsExactly(FIRST, CLOSE);
    assertThat(combine(rule(kind), FIRST, heard(1, 0))).containsExactly(FIRST, CLOSE);
  }

  @Test
  void tooFewForTrimmingKeepTheirOwn() {
    assertThat(combine(rule("trimmed-mean", "bad = 2"), FIRST, heard(0.5, 0.25, SECOND, THIRD)))
        .containsExactly(FIRST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trimmed-mean | bad = -1 | bad must not be negative",
        "geometric-median | steps = 0 | steps must be at least 1",
        "geometric-median | smoothing = 0.0 | smoothing must be above 0",
        "clipped-gossip | radius = -1.0 | radius must not be negative",
        "clipped-gossip | bad = 0 | bad must be at least 1",
      })
  void refusesBadSettings(String kind, String settings, String complaint) {
    assertThatThrownBy(() -> rule(kind, settings)).hasMessageContaining(complaint);
  }

  private static float[] vector(int size, Random random) {
    float[] vector = new float[size];
    for (int i = 0; i < size; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }
}
