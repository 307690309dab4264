package dev.grapevine.data.partition;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.data.Users;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Deals whole users (writers, speakers, authors) to nodes: what belongs to one person stays
 * together. By users, the numbers of users differ by at most one; by samples, users go in order of
 * falling size to the node that has fewest samples so far (longest processing time first). Cost:
 * O(samples + users log users).
 */
@Kind(
    name = "natural",
    summary = "whole users dealt to nodes: what one person made stays together",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018")
public final class Natural implements Partitioner {

  /** What is made equal among nodes. */
  public enum Balance {
    USERS,
    SAMPLES
  }

  /**
   * @param balance what is made equal
   */
  public record Settings(
      @Doc("what nodes get equally many of: users, or samples") @Default("users")
          Balance balance) {}

  private final Balance balance;

  public Natural(Settings settings) {
    balance = settings.balance();
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireEnough(train, nodes);
    Users users = train.users();
    if (!users.present()) {
      throw new SettingException(
          "partition",
          "partition natural needs users, but set %s has none; use iid, shards or dirichlet"
              .formatted(train.name()));
    }
    int[] samplesOf = new int[users.count()];
    for (int user : users.ofSample()) {
      samplesOf[user]++;
    }
    int[] active = IntStream.range(0, samplesOf.length).filter(u -> samplesOf[u] > 0).toArray();
    if (nodes > active.length) {
      throw new SettingException(
          "nodes",
          "more nodes than users: nodes=%d, users=%d; use fewer nodes or another partition"
              .formatted(nodes, active.length));
    }
    SplitMix.shuffle(active, new SplitMix(seed));
    int[] nodeOf =
        switch (balance) {
          case USERS -> equalUsers(active, samplesOf.length, nodes);
          case SAMPLES -> equalSamples(active, samplesOf, nodes);
        };
    return collect(users.ofSample(), nodeOf, nodes);
  }

  private static int[] equalUsers(int[] active, int users, int nodes) {
    int[] nodeOf = new int[users];
    int[][] slices = Deal.slices(active, nodes);
    for (int node = 0; node < nodes; node++) {
      for (int user : slices[node]) {
        nodeOf[user] = node;
      }
    }
    return nodeOf;
  }

  private static int[] equalSamples(int[] active, int[] samplesOf, int nodes) {
    Integer[] largestFirst = Arrays.stream(active).boxed().toArray(Integer[]::new);
    Arrays.sort(largestFirst, Comparator.comparingInt(user -> -samplesOf[user]));
    long[] load = new long[nodes];
    PriorityQueue<Integer> lightest =
        new PriorityQueue<>(
            Comparator.<Integer>comparingLong(node -> load[node])
                .thenComparing(Comparator.naturalOrder()));
    for (int node = 0; node < nodes; node++) {
      lightest.add(node);
    }
    int[] nodeOf = new int[samplesOf.length];
    for (int user : largestFirst) {
      int node = lightest.remove();
      nodeOf[user] = node;
      load[node] += samplesOf[user];
      lightest.add(node);
    }
    return nodeOf;
  }

  private static int[][] collect(int[] userOf, int[] nodeOf, int nodes) {
    int[] sizes = new int[nodes];
    for (int user : userOf) {
      sizes[nodeOf[user]]++;
    }
    int[][] dealt = new int[nodes][];
    Arrays.setAll(dealt, node -> new int[sizes[node]]);
    int[] filled = new int[nodes];
    for (int sample = 0; sample < userOf.length; sample++) {
      int node = nodeOf[userOf[sample]];
      dealt[node][filled[node]++] = sample;
    }
    return dealt;
  }
}
