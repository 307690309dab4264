package dev.grapevine.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.data.DataSet;
import dev.grapevine.engine.Batch;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalDataTest {

  /** Sample i is the value i of class i mod 3. */
  private static final DataSet NUMBERS =
      new DataSet() {
        @Override
        public String name() {
          return "numbers";
        }

        @Override
        public int size() {
          return 100;
        }

        @Override
        public int classes() {
          return 3;
        }

        @Override
        public int[] inputShape() {
          return new int[] {1};
        }

        @Override
        public int label(int sample) {
          return sample % 3;
        }

        @Override
        public void read(int sample, Batch batch, int slot) {
          batch.inputs()[slot] = sample;
          batch.targets()[slot] = label(sample);
        }
      };

  private final LocalData data =
      new LocalData(NUMBERS, new int[] {3, 4, 6}, 1, 7, Optional.empty());

  private Set<Float> onePass() {
    Batch batch = NUMBERS.batch(1);
    Set<Float> seen = new HashSet<>();
    for (int i = 0; i < data.samples(); i++) {
      data.next(batch);
      seen.add(batch.inputs()[0]);
    }
    return seen;
  }

  @Test
  void walksOverItsShard() {
    assertThat(onePass()).containsExactlyInAnyOrder(3f, 4f, 6f);
    assertThat(data.labelCounts()).containsExactly(2, 1, 0);
  }

  @Test
  void whatIsReceivedJoins() {
    data.add(new float[] {50}, 0, new float[] {2}, 0);

    assertThat(data.samples()).isEqualTo(4);
    assertThat(onePass()).containsExactlyInAnyOrder(3f, 4f, 6f, 50f);
  }

  @Test
  void readsOwnAndReceivedSamples() {
    data.add(new float[] {50}, 0, new float[] {2}, 0);
    float[] inputs = new float[2];
    float[] targets = new float[2];

    data.read(1, inputs, 0, targets, 0);
    data.read(3, inputs, 1, targets, 1);

    assertThat(inputs).containsExactly(4, 50);
    assertThat(targets).containsExactly(1, 2);
  }

  @Test
  void aServerHasNothingToTrainOn() {
    LocalData none = new LocalData(NUMBERS, new int[0], 1, 7, Optional.empty());

    assertThat(none.samples()).isZero();
    assertThatThrownBy(() -> none.next(NUMBERS.batch(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no samples");
  }
}
