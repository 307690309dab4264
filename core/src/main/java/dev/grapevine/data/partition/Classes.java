package dev.grapevine.data.partition;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Gives each node certain classes and splits every class evenly among the nodes that have it (sizes
 * differ by at most one). Which classes is either said outright or dealt: each node gets {@code
 * classes-per-node} different ones, all classes being given out equally often, give or take one.
 */
@Kind(
    name = "classes",
    summary = "each node gets certain classes; a class is split evenly among its nodes",
    paper = "Q. Li et al., Federated Learning on Non-IID Data Silos, ICDE 2022")
public final class Classes implements Partitioner {

  /**
   * @param classesPerNode how many classes each node is dealt
   * @param nodeClasses or, for each node, which: {@code "0 1"} or {@code "0-4 7"}
   */
  public record Settings(
      @Doc("different classes dealt to each node, 1 or more; unused with node-classes")
          @Default("2")
          int classesPerNode,
      @Doc("for each node the classes it gets, such as [\"0 1\", \"2-9\"]; empty to deal them")
          @Default("[]")
          List<String> nodeClasses) {
    public Settings {
      nodeClasses = List.copyOf(nodeClasses);
      require(
          classesPerNode >= 1,
          "classes-per-node",
          "classes-per-node must be at least 1: classes-per-node=" + classesPerNode);
    }
  }

  private final Settings settings;

  public Classes(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireClasses(train, "classes");
    Deal.requireEnough(train, nodes);
    SplitMix random = new SplitMix(seed);
    int[][] members = Deal.byClass(train, random);
    int[][] classesOf =
        settings.nodeClasses().isEmpty()
            ? dealt(members, nodes, random)
            : asked(members.length, nodes);
    List<List<Integer>> owners = owners(classesOf, members.length);
    List<List<int[]>> pieces = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      pieces.add(new ArrayList<>());
    }
    for (int label = 0; label < members.length; label++) {
      List<Integer> having = owners.get(label);
      if (having.isEmpty() && members[label].length > 0) {
        throw new SettingException(
            "node-classes",
            "class %d is given to no node, so its samples would be lost: samples=%d; name it for some node"
                .formatted(label, members[label].length));
      }
      for (int part = 0; part < having.size(); part++) {
        // Who gets the longer slices turns with the class, so that no node gets all of them.
        int node = having.get((part + label) % having.size());
        pieces.get(node).add(Deal.slice(members[label], part, having.size()));
      }
    }
    int[][] shards = new int[nodes][];
    for (int node = 0; node < nodes; node++) {
      shards[node] = Deal.concatenate(pieces.get(node).toArray(int[][]::new));
      require(
          shards[node].length > 0,
          "partition",
          "a node gets no samples: node=%d, its classes are empty or shared by too many nodes"
              .formatted(node));
    }
    return shards;
  }

  /**
   * Walks around the shuffled classes, so that a node's classes differ and all classes are used
   * equally often, give or take one.
   */
  private int[][] dealt(int[][] members, int nodes, RandomGenerator random) {
    int[] order =
        Arrays.stream(SplitMix.permutation(members.length, random))
            .filter(label -> members[label].length > 0)
            .toArray();
    int each = settings.classesPerNode();
    require(
        each <= order.length,
        "classes-per-node",
        "more classes per node than there are: classes-per-node=%d, classes=%d"
            .formatted(each, order.length));
    require(
        (long) nodes * each >= order.length,
        "classes-per-node",
        "too few to give out every class: classes-per-node=%d, nodes=%d, classes=%d; raise one of them"
            .formatted(each, nodes, order.length));
    int[][] classesOf = new int[nodes][each];
    int[] turn = SplitMix.permutation(nodes, random);
    for (int i = 0; i < nodes; i++) {
      for (int j = 0; j < each; j++) {
        classesOf[turn[i]][j] = order[(int) (((long) i * each + j) % order.length)];
      }
    }
    return classesOf;
  }

  private int[][] asked(int classes, int nodes) {
    List<String> lines = settings.nodeClasses();
    require(
        lines.size() == nodes,
        "node-classes",
        "there must be one entry per node: node-classes=%d, nodes=%d"
            .formatted(lines.size(), nodes));
    return lines.stream().map(line -> parse(line, classes)).toArray(int[][]::new);
  }

  private static int[] parse(String line, int classes) {
    boolean[] wanted = new boolean[classes];
    for (String item : line.trim().split("[\\s,]+")) {
      int dash = item.indexOf('-', 1);
      int from = number(dash < 0 ? item : item.substring(0, dash), line, classes);
      int to = dash < 0 ? from : number(item.substring(dash + 1), line, classes);
      for (int label = from; label <= to; label++) {
        wanted[label] = true;
      }
    }
    return java.util.stream.IntStream.range(0, classes).filter(label -> wanted[label]).toArray();
  }

  private static int number(String text, String line, int classes) {
    try {
      int label = Integer.parseInt(text);
      if (label >= 0 && label < classes) {
        return label;
      }
    } catch (NumberFormatException notANumber) {
      // falls through to the message below
    }
    throw new SettingException(
        "node-classes",
        "not a class: \"%s\" in \"%s\"; classes are 0 to %d".formatted(text, line, classes - 1));
  }

  private static List<List<Integer>> owners(int[][] classesOf, int classes) {
    List<List<Integer>> owners = new ArrayList<>();
    for (int label = 0; label < classes; label++) {
      owners.add(new ArrayList<>());
    }
    for (int node = 0; node < classesOf.length; node++) {
      for (int label : classesOf[node]) {
        owners.get(label).add(node);
      }
    }
    return owners;
  }
}
