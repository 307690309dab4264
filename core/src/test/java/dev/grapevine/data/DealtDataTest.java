package dev.grapevine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.data.partition.Iid;
import dev.grapevine.engine.Batch;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process of many loads what its nodes need and nothing else. */
final class DealtDataTest {

  private static final int SAMPLES = 5000;
  private static final int NODES = 4;

  /** Every picture is its own number. */
  private static final class Numbers implements SelectiveSource {

    @Override
    public DataSplits labels() {
      return splits(sample -> false, sample -> false);
    }

    @Override
    public DataSplits load(IntPredicate wanted) {
      return splits(wanted, sample -> true);
    }

    private static DataSplits splits(IntPredicate train, IntPredicate test) {
      return new DataSplits(set(SAMPLES, train), set(100, test));
    }

    private static ImageSet set(int count, IntPredicate wanted) {
      ImageSet.Builder builder =
          new ImageSet.Builder(
              "numbers", ImageFormat.uniform(1, 1, 2, 0, 1), List.of("even", "odd"), wanted);
      for (int i = 0; i < count; i++) {
        builder.add(new byte[] {(byte) i, (byte) (i >> 8)}, 0, i % 2);
      }
      return builder.build();
    }
  }

  private static DataSettings settings(double validation, DataSettings.ValidationFrom from) {
    return new DataSettings(false, validation, from);
  }

  private static float[] content(DataSet set, int sample) {
    Batch batch = set.batch(1);
    set.read(sample, batch, 0);
    return batch.inputs().clone();
  }

  @ParameterizedTest
  @CsvSource({"0, TRAIN", "0.1, TRAIN", "0.1, TEST"})
  void aProcessHasTheSamplesOfItsNodes(double validation, DataSettings.ValidationFrom from) {
    DataSettings settings = settings(validation, from);
    Partitioner iid = new Iid();
    DealtData all = DealtData.prepare(new Numbers(), iid, settings, NODES, 7);
    DealtData some = DealtData.prepare(new Numbers(), iid, settings, NODES, 7, node -> node == 2);

    assertThat(some.shards()).isDeepEqualTo(all.shards());
    for (int sample : all.shards()[2]) {
      assertThat(content(some.splits().train(), sample))
          .isEqualTo(content(all.splits().train(), sample));
    }
    int held = 0;
    for (int sample = 0; sample < all.splits().train().size(); sample++) {
      assertThat(some.splits().train().label(sample)).isEqualTo(all.splits().train().label(sample));
      held += isHeld(some.splits().train(), sample) ? 1 : 0;
    }
    assertThat(held).isLessThanOrEqualTo(all.shards()[2].length + DealtData.ALWAYS_HELD);
    for (int i = 0; i < DealtData.ALWAYS_HELD; i++) {
      int spaced = DealtData.spaced(i, DealtData.ALWAYS_HELD, all.splits().train().size());
      assertThat(isHeld(some.splits().train(), spaced)).isTrue();
    }
    assertThat(some.splits().validation().isPresent()).isEqualTo(validation > 0);
    some.splits()
        .validation()
        .ifPresent(set ->
            assertThat(content(set, set.size() - 1))
                .isEqualTo(content(all.splits().validation().orElseThrow(), set.size() - 1)));
    assertThat(content(some.splits().test(), 5)).isEqualTo(content(all.splits().test(), 5));
  }

  private static boolean isHeld(DataSet set, int sample) {
    try {
      content(set, sample);
      return true;
    } catch (IllegalStateException left) {
      assertThatThrownBy(() -> content(set, sample))
          .hasMessageContaining("not held in this process");
      return false;
    }
  }
}
