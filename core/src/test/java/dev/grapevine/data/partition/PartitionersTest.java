package dev.grapevine.data.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.data.TestSets;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every partitioner promises, for 1 to 2048 nodes on 50,000 samples. */
class PartitionersTest {

  private static final int SAMPLES = 50_000;
  private static final int CLASSES = 10;
  private static final DataSet SET = TestSets.labelled(SAMPLES, CLASSES, 3_000, 1);
  private static final int[] NODES = {
    1, 2, 3, 5, 7, 10, 16, 31, 32, 33, 48, 64, 96, 100, 255, 256, 777, 1000, 1023, 1024, 1500, 2047,
    2048
  };

  /** All that deal every sample exactly once; by-class dealing needs enough places for all. */
  private static final Map<String, IntFunction<Partitioner>> ALL = all();

  private static Map<String, IntFunction<Partitioner>> all() {
    Map<String, IntFunction<Partitioner>> all = new LinkedHashMap<>();
    all.put("iid", nodes -> new Iid());
    all.put("shards 1", nodes -> new Shards(new Shards.Settings(1, false)));
    all.put("shards 2", nodes -> new Shards(new Shards.Settings(2, false)));
    all.put("shards 7", nodes -> new Shards(new Shards.Settings(7, false)));
    all.put("dirichlet 0.001", nodes -> new Dirichlet(new Dirichlet.Settings(0.001, 1)));
    all.put("dirichlet 0.1", nodes -> new Dirichlet(new Dirichlet.Settings(0.1, 20)));
    all.put("dirichlet 100", nodes -> new Dirichlet(new Dirichlet.Settings(100, 1)));
    all.put("natural users", nodes -> new Natural(new Natural.Settings(Natural.Balance.USERS)));
    all.put("natural samples", nodes -> new Natural(new Natural.Settings(Natural.Balance.SAMPLES)));
    all.put("classes", nodes -> new Classes(new Classes.Settings(nodes < 5 ? 10 : 2, List.of())));
    all.put("quantity-skew", nodes -> new QuantitySkew(new QuantitySkew.Settings(0.2, 3)));
    all.put("fractions", nodes -> new Fractions(new Fractions.Settings(fractions(nodes))));
    return all;
  }

  private static List<Double> fractions(int nodes) {
    double sum = nodes * (nodes + 1) / 2.0;
    return IntStream.rangeClosed(1, nodes).mapToObj(i -> (0.2 / nodes) + 0.8 * i / sum).toList();
  }

  /** As the thesis has it: nodes draw for themselves. */
  @Test
  void overlappingShardsAreDrawnByEveryNodeForItself() {
    int[][] dealt = new Shards(new Shards.Settings(2, true)).deal(SET, 10, 1);
    int[] all = java.util.Arrays.stream(dealt).flatMapToInt(java.util.Arrays::stream).toArray();
    assertThat(java.util.Arrays.stream(all).distinct().count())
        .as("some samples lie on several nodes, some on none")
        .isLessThan(SET.size());
    for (int[] node : dealt) {
      assertThat(java.util.Arrays.stream(node).distinct().count()).isEqualTo(node.length);
      assertThat(java.util.Arrays.stream(node).map(SET::label).distinct().count())
          .isLessThanOrEqualTo(4);
    }
    assertThat(new Shards(new Shards.Settings(2, true)).deal(SET, 10, 1)).isEqualTo(dealt);
  }

  @Test
  void everySampleIsDealtExactlyOnceAndNobodyIsLeftEmpty() {
    ALL.forEach((name, partitioner) -> {
      for (int nodes : NODES) {
        int[][] shards = partitioner.apply(nodes).deal(SET, nodes, nodes);
        requireExactlyOnce(shards, nodes, name + ", nodes=" + nodes);
      }
    });
  }

  @Test
  void theSameSeedGivesTheSameDealAndAnotherOneAnother() {
    ALL.forEach((name, partitioner) -> {
      int[][] first = partitioner.apply(96).deal(SET, 96, 5);
      assertThat(partitioner.apply(96).deal(SET, 96, 5)).as(name).isDeepEqualTo(first);
      assertThat(Arrays.deepEquals(partitioner.apply(96).deal(SET, 96, 6), first))
          .as(name)
          .isFalse();
    });
  }

  @Test
  void iidSlicesDifferByOneForEveryNumberOfNodes() {
    for (int nodes = 1; nodes <= 2048; nodes++) {
      int[][] shards = new Iid().deal(SET, nodes, 3);
      requireExactlyOnce(shards, nodes, "nodes=" + nodes);
      requireSpread(shards, 1, "nodes=" + nodes);
    }
  }

  @Test
  void shardsMakeNodesThatDifferByOneAndSeeAtMostTwiceAsManyClasses() {
    for (int perNode : new int[] {1, 2, 3, 7}) {
      for (int nodes : NODES) {
        int[][] shards = new Shards(new Shards.Settings(perNode, false)).deal(SET, nodes, nodes);
        requireSpread(shards, 1, "nodes=" + nodes);
        // Holds once a shard is no longer than the smallest class.
        if ((long) nodes * perNode >= CLASSES + 2) {
          for (int[] shard : shards) {
            assertThat(classesIn(shard)).isLessThanOrEqualTo(2L * perNode);
          }
        }
      }
    }
  }

  @Test
  void dirichletKeepsItsMinimumWhateverAlpha() {
    for (double alpha : new double[] {1e-9, 1e-3, 0.1, 1, 1e6}) {
      for (int nodes : new int[] {1, 10, 1000, 2048}) {
        int minimum = SAMPLES / nodes;
        int[][] shards = new Dirichlet(new Dirichlet.Settings(alpha, minimum)).deal(SET, nodes, 11);
        requireExactlyOnce(shards, nodes, "alpha=" + alpha);
        assertThat(sizes(shards).getMin()).isGreaterThanOrEqualTo(minimum);
      }
    }
  }

  @Test
  void dirichletSkewFallsWithAlpha() {
    double harsh = meanClasses(new Dirichlet(new Dirichlet.Settings(0.05, 1)));
    double mild = meanClasses(new Dirichlet(new Dirichlet.Settings(0.5, 1)));
    double even = meanClasses(new Dirichlet(new Dirichlet.Settings(1000, 1)));
    assertThat(harsh).isLessThan(4);
    assertThat(mild).isBetween(harsh + 1, even - 0.5);
    assertThat(even).isEqualTo(CLASSES);
    int[][] nearlyEqual = new Dirichlet(new Dirichlet.Settings(1e6, 1)).deal(SET, 100, 2);
    requireSpread(nearlyEqual, 20, "large alpha");
  }

  @Test
  void naturalKeepsUsersTogetherAndBalancesWhatIsAsked() {
    for (int nodes : new int[] {1, 7, 96, 1000, 2048}) {
      int[][] byUsers =
          new Natural(new Natural.Settings(Natural.Balance.USERS)).deal(SET, nodes, 4);
      IntSummaryStatistics users =
          Arrays.stream(byUsers).mapToInt(this::usersIn).summaryStatistics();
      assertThat(users.getMax() - users.getMin()).isLessThanOrEqualTo(1);
      assertThat(users.getSum()).as("nobody is split").isEqualTo(3_000);
      int[][] bySamples =
          new Natural(new Natural.Settings(Natural.Balance.SAMPLES)).deal(SET, nodes, 4);
      assertThat(Arrays.stream(bySamples).mapToInt(this::usersIn).sum()).isEqualTo(3_000);
      assertThat(sizes(bySamples).getMax()).isLessThanOrEqualTo(sizes(byUsers).getMax());
    }
    int[][] even = new Natural(new Natural.Settings(Natural.Balance.SAMPLES)).deal(SET, 64, 4);
    requireSpread(even, 1, "many small users even out");
  }

  @Test
  void fractionsAreMetToTheSample() {
    for (int nodes : NODES) {
      List<Double> fractions = fractions(nodes);
      int[][] shards = new Fractions(new Fractions.Settings(fractions)).deal(SET, nodes, 1);
      for (int node = 0; node < nodes; node++) {
        assertThat((double) shards[node].length)
            .isBetween(fractions.get(node) * SAMPLES - 1, fractions.get(node) * SAMPLES + 1);
      }
    }
  }

  @Test
  void quantitySkewIsSkewedInSizeButNotInClasses() {
    int[][] shards = new QuantitySkew(new QuantitySkew.Settings(0.3, 50)).deal(SET, 50, 1);
    assertThat(sizes(shards).getMin()).isGreaterThanOrEqualTo(50);
    assertThat(sizes(shards).getMax()).isGreaterThan(3 * SAMPLES / 50);
    for (int[] shard : shards) {
      assertThat(classesIn(shard)).isGreaterThanOrEqualTo(9);
    }
  }

  @Test
  void classesAreDealtAsAskedAndSplitEvenly() {
    for (int nodes : new int[] {5, 16, 96, 1000}) {
      int[][] shards = new Classes(new Classes.Settings(2, List.of())).deal(SET, nodes, 8);
      for (int[] shard : shards) {
        assertThat(classesIn(shard)).isEqualTo(2);
      }
      for (int label = 0; label < CLASSES; label++) {
        int wanted = label;
        IntSummaryStatistics held =
            Arrays.stream(shards)
                .mapToInt(
                    shard -> (int) Arrays.stream(shard).filter(s -> SET.label(s) == wanted).count())
                .filter(count -> count > 0)
                .summaryStatistics();
        assertThat(held.getMax() - held.getMin()).isLessThanOrEqualTo(1);
      }
    }
    int[][] asked =
        new Classes(new Classes.Settings(1, List.of("0-4 9", "5,6", "7 8"))).deal(SET, 3, 1);
    assertThat(classesIn(asked[0])).isEqualTo(6);
    assertThat(classesIn(asked[1])).isEqualTo(2);
    assertThat(Arrays.stream(asked[2]).map(SET::label).distinct().sorted()).containsExactly(7, 8);
  }

  @Test
  void apportionmentNeverLosesAndStaysWithinOne() {
    SplitMix random = new SplitMix(99);
    for (int trial = 0; trial < 2000; trial++) {
      int parts = 1 + random.nextInt(60);
      int total = random.nextInt(5000);
      double[] shares = DirichletDistribution.draw(parts, 0.01 + random.nextDouble() * 3, random);
      int[] counts = Deal.apportion(total, shares);
      assertThat(Arrays.stream(counts).sum()).isEqualTo(total);
      for (int i = 0; i < parts; i++) {
        assertThat(Math.abs(counts[i] - shares[i] * total)).isLessThan(1 + 1e-6);
      }
    }
  }

  @Test
  void dirichletSharesHaveTheRightMeanAndVariance() {
    SplitMix random = new SplitMix(5);
    int parts = 5;
    for (double alpha : new double[] {0.2, 1, 4}) {
      int draws = 20_000;
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < draws; i++) {
        double share = DirichletDistribution.draw(parts, alpha, random)[2];
        sum += share;
        squares += share * share;
      }
      double mean = sum / draws;
      double variance = squares / draws - mean * mean;
      double expected = (1.0 / parts) * (1 - 1.0 / parts) / (parts * alpha + 1);
      assertThat(mean).isBetween(0.19, 0.21);
      assertThat(variance).isBetween(0.93 * expected, 1.07 * expected);
    }
  }

  @Test
  void saysWhyADealIsImpossible() {
    DataSet tiny = TestSets.labelled(10, 3, 0, 1);
    DataSet values = TestSets.values(10);
    assertThatThrownBy(() -> new Iid().deal(tiny, 11, 1))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("nodes=11, samples=10");
    assertThatThrownBy(() -> new Iid().deal(tiny, 0, 1)).hasMessageContaining("nodes=0");
    assertThatThrownBy(() -> new Shards(new Shards.Settings(4, false)).deal(tiny, 3, 1))
        .hasMessageContaining("shards-per-node=4, samples=10");
    assertThatThrownBy(() -> new Shards(new Shards.Settings(0, false))).hasMessageContaining("=0");
    assertThatThrownBy(() -> new Dirichlet.Settings(0, 1)).hasMessageContaining("alpha=0.0");
    assertThatThrownBy(() -> new Dirichlet.Settings(-1, 1)).hasMessageContaining("alpha=-1.0");
    assertThatThrownBy(() -> new Dirichlet.Settings(Double.NaN, 1)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new Dirichlet(new Dirichlet.Settings(1, 4)).deal(tiny, 3, 1))
        .hasMessageContaining("minimum-per-node=4");
    Natural natural = new Natural(new Natural.Settings(Natural.Balance.USERS));
    assertThatThrownBy(() -> natural.deal(tiny, 2, 1)).hasMessageContaining("needs users");
    assertThatThrownBy(() -> natural.deal(TestSets.labelled(10, 3, 4, 1), 5, 1))
        .hasMessageContaining("nodes=5, users=4");
    assertThatThrownBy(() -> new Fractions.Settings(List.of(0.5, 0.4)))
        .hasMessageContaining("add up to 1");
    assertThatThrownBy(() -> new Fractions.Settings(List.of(1.5, -0.5)))
        .hasMessageContaining("fractions[1]=-0.5");
    assertThatThrownBy(() -> new Fractions.Settings(List.of())).hasMessageContaining("sum=0.0");
    assertThatThrownBy(
            () -> new Fractions(new Fractions.Settings(List.of(0.5, 0.5))).deal(tiny, 3, 1))
        .hasMessageContaining("fractions=2, nodes=3");
    assertThatThrownBy(
            () -> new Fractions(new Fractions.Settings(List.of(0.999, 0.001))).deal(tiny, 2, 1))
        .hasMessageContaining("less than one sample");
    Classes two = new Classes(new Classes.Settings(2, List.of()));
    assertThatThrownBy(() -> two.deal(tiny, 1, 1)).hasMessageContaining("too few");
    assertThatThrownBy(() -> two.deal(values, 1, 1)).hasMessageContaining("needs classes");
    assertThatThrownBy(() -> new Shards(new Shards.Settings(1, false)).deal(values, 1, 1))
        .hasMessageContaining("needs classes");
    assertThatThrownBy(() -> new Classes(new Classes.Settings(1, List.of("0 3"))).deal(tiny, 1, 1))
        .hasMessageContaining("\"3\"");
    assertThatThrownBy(() -> new Classes(new Classes.Settings(1, List.of("0"))).deal(tiny, 1, 1))
        .hasMessageContaining("given to no node");
    assertThatThrownBy(() -> new QuantitySkew.Settings(0, 1)).hasMessageContaining("size-beta");
    assertThatThrownBy(() -> new QuantitySkew(new QuantitySkew.Settings(1, 6)).deal(tiny, 2, 1))
        .hasMessageContaining("smallest-size=6");
  }

  private static void requireExactlyOnce(int[][] shards, int nodes, String what) {
    assertThat(shards.length).as(what).isEqualTo(nodes);
    BitSet seen = new BitSet(SAMPLES);
    int total = 0;
    for (int[] shard : shards) {
      assertThat(shard.length).as(what).isPositive();
      total += shard.length;
      for (int sample : shard) {
        seen.set(sample);
      }
    }
    assertThat(total).as(what).isEqualTo(SAMPLES);
    assertThat(seen.cardinality()).as(what).isEqualTo(SAMPLES);
  }

  private static void requireSpread(int[][] shards, int atMost, String what) {
    IntSummaryStatistics sizes = sizes(shards);
    assertThat(sizes.getMax() - sizes.getMin()).as(what).isLessThanOrEqualTo(atMost);
  }

  private static IntSummaryStatistics sizes(int[][] shards) {
    return Arrays.stream(shards).mapToInt(shard -> shard.length).summaryStatistics();
  }

  private static double meanClasses(Partitioner partitioner) {
    return Arrays.stream(partitioner.deal(SET, 100, 3))
        .mapToLong(PartitionersTest::classesIn)
        .average()
        .orElseThrow();
  }

  private static long classesIn(int[] shard) {
    BitSet labels = new BitSet();
    for (int sample : shard) {
      labels.set(SET.label(sample));
    }
    return labels.cardinality();
  }

  private int usersIn(int[] shard) {
    BitSet users = new BitSet();
    for (int sample : shard) {
      users.set(SET.users().ofSample()[sample]);
    }
    return users.cardinality();
  }
}
