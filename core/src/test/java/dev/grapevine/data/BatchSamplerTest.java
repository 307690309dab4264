package dev.grapevine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.grapevine.engine.Batch;
import dev.grapevine.random.SplitMix;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchSamplerTest {

  private static final DataSet SET = TestSets.labelled(1000, 10, 0, 1);

  @Test
  void anEpochMeetsEverySampleOfTheShardOnce() {
    int[] shard = IntStream.range(100, 203).toArray();
    BatchSampler sampler = sampler(shard, 8, 3);
    List<List<Integer>> epochs = new ArrayList<>();
    Batch batch = SET.batch(8);
    for (int epoch = 0; epoch < 3; epoch++) {
      List<Integer> met = new ArrayList<>();
      for (int i = 0; i < 13; i++) {
        sampler.next(batch);
        assertThat(batch.size()).isEqualTo(i < 12 ? 8 : 7);
        met.addAll(samples(batch));
      }
      assertThat(met.stream().sorted().toList()).isEqualTo(Arrays.stream(shard).boxed().toList());
      epochs.add(met);
    }
    assertThat(epochs.get(0)).isNotEqualTo(epochs.get(1));
    assertThat(epochs.get(1)).isNotEqualTo(epochs.get(2));
  }

  @Test
  void theWalkDependsOnTheSeedAlone() {
    assertThat(walk(sampler(10, 5), 30)).isEqualTo(walk(sampler(10, 5), 30));
    assertThat(walk(sampler(10, 5), 30)).isNotEqualTo(walk(sampler(10, 6), 30));
  }

  @Test
  void goesOnFromASavedStateAtAnyPlace() {
    for (int before = 0; before < 25; before++) {
      BatchSampler first = sampler(7, 4);
      walk(first, before);
      BatchSampler.State state = first.state();
      BatchSampler second = sampler(7, 4);
      second.restore(state);
      assertThat(walk(second, 20)).as("after %d batches", before).isEqualTo(walk(first, 20));
    }
    assertThatThrownBy(() -> sampler(7, 4).restore(new BatchSampler.State(0, 51)))
        .hasMessageContaining("samples=50");
  }

  @Test
  void fillingABatchAllocatesNothing() {
    BatchSampler sampler = sampler(10, 1);
    Batch batch = SET.batch(10);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    // The first rounds may allocate for class loading and for compiling.
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1000; i++) {
        sampler.next(batch);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isLessThan(1000);
  }

  @Test
  void augmentationIsSeededAndKeepsItsPlace() {
    ImageFormat format = ImageFormat.plain(1, 6, 6);
    ImageSet images = images(format, 40);
    int[] shard = IntStream.range(0, 40).toArray();
    BatchSampler first = augmented(images, format, shard, 9);
    BatchSampler again = augmented(images, format, shard, 9);
    Batch a = images.batch(8);
    Batch b = images.batch(8);
    for (int i = 0; i < 12; i++) {
      first.next(a);
      again.next(b);
      assertThat(a.inputs()).isEqualTo(b.inputs());
    }
    BatchSampler restored = augmented(images, format, shard, 9);
    restored.restore(first.state());
    first.next(a);
    restored.next(b);
    assertThat(a.inputs()).isEqualTo(b.inputs());
    BatchSampler plain = new BatchSampler(images, shard, 8, 9, Optional.empty());
    plain.restore(new BatchSampler.State(2, 16));
    plain.next(b);
    assertThat(a.targets()).isEqualTo(b.targets());
    assertThat(a.inputs()).isNotEqualTo(b.inputs());
  }

  @Test
  void movesMirrorsAndPads() {
    ImageFormat format = ImageFormat.uniform(1, 2, 3, 0.5, 0.5);
    float[] image = {9, 9, 1, 2, 3, 4, 5, 6};
    Augmentation augmentation = new Augmentation(format, 1);
    float[] moved = image.clone();
    augmentation.move(moved, 2, 1, -1, false);
    assertThat(moved).containsExactly(9, 9, -1, 4, 5, -1, -1, -1);
    moved = image.clone();
    augmentation.move(moved, 2, 0, 0, true);
    assertThat(moved).containsExactly(9, 9, 3, 2, 1, 6, 5, 4);
    moved = image.clone();
    augmentation.move(moved, 2, 0, 0, false);
    assertThat(moved).isEqualTo(image);
  }

  private static BatchSampler augmented(
      DataSet images, ImageFormat format, int[] shard, long seed) {
    return new BatchSampler(images, shard, 8, seed, Optional.of(new Augmentation(format, 2)));
  }

  private static ImageSet images(ImageFormat format, int count) {
    ImageSet.Builder builder = new ImageSet.Builder("test", format, List.of("a", "b"));
    SplitMix random = new SplitMix(1);
    byte[] pixels = new byte[format.size()];
    for (int i = 0; i < count; i++) {
      random.nextBytes(pixels);
      builder.add(pixels, 0, i % 2);
    }
    return builder.build();
  }

  private static BatchSampler sampler(int batchSize, long seed) {
    return sampler(IntStream.range(0, 50).toArray(), batchSize, seed);
  }

  private static BatchSampler sampler(int[] shard, int batchSize, long seed) {
    return new BatchSampler(SET, shard, batchSize, seed, Optional.empty());
  }

  private static List<Integer> walk(BatchSampler sampler, int batches) {
    List<Integer> met = new ArrayList<>();
    Batch batch = SET.batch(10);
    for (int i = 0; i < batches; i++) {
      sampler.next(batch);
      met.addAll(samples(batch));
    }
    return met;
  }

  private static List<Integer> samples(Batch batch) {
    return IntStream.range(0, batch.size()).mapToObj(i -> (int) batch.inputs()[i]).toList();
  }
}
