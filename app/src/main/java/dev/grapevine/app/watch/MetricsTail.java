package dev.grapevine.app.watch;

import dev.grapevine.app.report.PageData;
import dev.grapevine.results.MetricLines;
import dev.grapevine.results.Spread;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code metrics.csv} as it grows and keeps what the live page needs: all values of a round,
 * since a round's mean and spread change until its last node has reported, and every node's latest
 * value.
 */
final class MetricsTail {

  /** Read at a time, so that the first picture of a long run comes soon. */
  private static final int CHUNK_BYTES = 8 << 20;

  private static final MathContext SIX_DIGITS = new MathContext(6);

  /** The values of one metric in one round. */
  private static final class Round {
    private float[] values = new float[16];
    private int count;
    private double sum;
    private double times;

    void add(double value, double time) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = (float) value;
      sum += value;
      times += time;
    }
  }

  private record Key(String metric, int round) {}

  private record NodeKey(int node, String metric) {}

  private final Path file;
  private final Map<String, TreeMap<Integer, Round>> metrics = new LinkedHashMap<>();
  private final Map<NodeKey, Double> latest = new LinkedHashMap<>();
  private final Set<Key> changedRounds = new LinkedHashSet<>();
  private final Set<NodeKey> changedNodes = new LinkedHashSet<>();
  private final MetricLines lines =
      new MetricLines(
          metric -> (node, round, value, time) -> add(metric, node, round, value, time));
  private long position;
  private int rounds;

  MetricsTail(Path file) {
    this.file = file;
  }

  /** Reads on; whether there was something new. */
  boolean read() throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer buffer =
          ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, Math.max(0, channel.size() - position)));
      while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {
        // A read may stop short.
      }
      int taken = lines.take(buffer.array(), buffer.position());
      position += taken;
      return taken > 0;
    }
  }

  private void add(String metric, int node, int round, double value, double time) {
    metrics
        .computeIfAbsent(metric, m -> new TreeMap<>())
        .computeIfAbsent(round, r -> new Round())
        .add(value, time);
    latest.put(new NodeKey(node, metric), value);
    changedRounds.add(new Key(metric, round));
    changedNodes.add(new NodeKey(node, metric));
    rounds = Math.max(rounds, round + 1);
  }

  /** How many rounds have been heard of. */
  int rounds() {
    return rounds;
  }

  /** The mean over the nodes of what each recorded last; NaN when none has. */
  double mean(String metric) {
    return latest.entrySet().stream()
        .filter(entry -> entry.getKey().metric.equals(metric) && entry.getKey().node >= 0)
        .mapToDouble(Map.Entry::getValue)
        .average()
        .orElse(Double.NaN);
  }

  /** What has changed since the last call: metric, round, mean, low, high, seconds. */
  List<List<@Nullable Object>> changedPoints() {
    List<List<@Nullable Object>> points = new ArrayList<>();
    for (Key key : changedRounds) {
      Round round = metrics.getOrDefault(key.metric, new TreeMap<>()).get(key.round);
      if (round != null && !key.metric.startsWith("seconds_")) {
        double[] values = new double[round.count];
        Arrays.setAll(values, i -> round.values[i]);
        double[] band = PageData.band(Spread.of(values));
        points.add(
            Arrays.asList(
                key.metric,
                key.round,
                PageData.number(round.sum / round.count),
                PageData.number(band[0]),
                PageData.number(band[1]),
                PageData.number(round.times / round.count)));
      }
    }
    changedRounds.clear();
    return points;
  }

  /**
   * What the page shows of single nodes and has changed since the last call: by metric, nodes and
   * their values, side by side.
   */
  Map<String, ChangedNodes> changedNodes() {
    Map<String, ChangedNodes> changed = new LinkedHashMap<>();
    for (NodeKey key : changedNodes) {
      if (PageData.isShownByNode(key.metric)) {
        changed
            .computeIfAbsent(
                key.metric, m -> new ChangedNodes(new ArrayList<>(), new ArrayList<>()))
            .add(key.node, latest.getOrDefault(key, Double.NaN));
      }
    }
    changedNodes.clear();
    return changed;
  }

  /** Nodes and what they recorded last. */
  record ChangedNodes(List<Integer> nodes, List<@Nullable Double> values) {

    private void add(int node, double value) {
      nodes.add(node);
      values.add(PageData.number(shortened(value)));
    }

    /** Nobody sees more than six digits, and an event of a thousand nodes is half as long. */
    private static double shortened(double value) {
      return value == Math.rint(value) || !Double.isFinite(value)
          ? value
          : new BigDecimal(value).round(SIX_DIGITS).doubleValue();
    }
  }
}
