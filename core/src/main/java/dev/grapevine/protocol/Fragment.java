package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import java.util.Arrays;
import java.util.List;

/** Some coordinates of a model, which travel and are combined as a vector of their own. */
final class Fragment implements Encoding {

  private final float[] model;
  private final int[] coordinates;

  /**
   * @param coordinates in rising order
   */
  Fragment(float[] model, int[] coordinates) {
    this.model = model;
    this.coordinates = coordinates;
  }

  /**
   * Deals the coordinates of each tensor by lot into {@code count} fragments of nearly equal size,
   * the same on every node.
   */
  static int[][] cut(List<ParameterBlock> blocks, int count, long seed) {
    int size = blocks.stream().mapToInt(ParameterBlock::size).sum();
    int[][] fragments = new int[count][];
    for (int fragment = 0; fragment < count; fragment++) {
      fragments[fragment] = new int[(size - fragment + count - 1) / count];
    }
    SplitMix random = new SplitMix(SplitMix.mix(seed, count));
    int dealt = 0;
    for (ParameterBlock block : blocks) {
      for (int place : SplitMix.permutation(block.size(), random)) {
        fragments[dealt % count][dealt / count] = block.offset() + place;
        dealt++;
      }
    }
    for (int[] fragment : fragments) {
      Arrays.sort(fragment);
    }
    return fragments;
  }

  private float[] values() {
    float[] values = new float[coordinates.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = model[coordinates[i]];
    }
    return values;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    return Update.payload(values());
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return Update.ofBytes(payload, coordinates.length);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    float[] values = values();
    rule.combine(values, values.length, heard, values, scratch);
    for (int i = 0; i < values.length; i++) {
      model[coordinates[i]] = values[i];
    }
  }
}
