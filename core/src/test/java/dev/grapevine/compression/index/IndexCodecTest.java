package dev.grapevine.compression.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IndexCodecTest {

  private static final Scratch SCRATCH = new Scratch();

  static List<IndexCodec> codecs() {
    return List.of(
        new EliasGamma(), new Bitmap(), new RawIndices(), new Lz4Indices(), new SmallestIndices());
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void everyListComesBack(IndexCodec codec) {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int universe = 1 + random.nextInt(5000);
      double density = random.nextDouble();
      int[] indices =
          IntStream.range(0, universe).filter(i -> random.nextDouble() < density).toArray();
      assertRoundTrip(codec, indices, universe, "seed=" + seed);
    }
    assertRoundTrip(codec, new int[0], 0, "empty universe");
    assertRoundTrip(codec, new int[0], 77, "no index");
    assertRoundTrip(codec, new int[] {76}, 77, "last index");
    assertRoundTrip(codec, IntStream.range(0, 64).toArray(), 64, "all");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void theWidestGapsComeBack(IndexCodec codec) {
    if (codec instanceof Bitmap) {
      return; // a bitmap of 2³¹ bits is beyond a test
    }
    int universe = Integer.MAX_VALUE;
    assertRoundTrip(codec, new int[] {universe - 1}, universe, "one");
    assertRoundTrip(codec, new int[] {0, universe - 1}, universe, "both ends");
    assertRoundTrip(codec, new int[] {1 << 29, (1 << 30) + 5, universe - 1}, universe, "three");
    int[] powers = IntStream.range(0, 31).map(n -> 1 << n).toArray();
    assertRoundTrip(codec, powers, universe, "powers of two");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void listsThatDoNotRiseAreRejected(IndexCodec codec) {
    for (int[] bad :
        new int[][] {{3, 3}, {4, 3}, {-1, 3}, {0, 10}, {10}, {0, Integer.MIN_VALUE, 5}}) {
      assertThatThrownBy(() -> codec.encode(bad, bad.length, 10, new PayloadWriter(16), SCRATCH))
          .as(Arrays.toString(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("universe=10");
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void bytesFromAnEnemyDoNoHarm(IndexCodec codec) {
    int[] indices = IntStream.range(0, 500).map(i -> 3 * i + i % 2).toArray();
    byte[] good = bytes(codec, indices, indices.length, 2000);
    SplittableRandom random = new SplittableRandom(5);
    int[] room = new int[600];
    for (int trial = 0; trial < 20_000; trial++) {
      byte[] bad =
          Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
      for (int flips = random.nextInt(4); flips >= 0 && bad.length > 0; flips--) {
        int at =
            random.nextBoolean()
                ? random.nextInt(bad.length)
                : random.nextInt(Math.min(6, bad.length));
        bad[at] = (byte) random.nextInt();
      }
      ByteBuffer in = ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN);
      try {
        int count = codec.decode(in, 2000, room, SCRATCH);
        for (int i = 0; i < count; i++) {
          if (room[i] < (i == 0 ? 0 : room[i - 1] + 1) || room[i] > 1999) {
            fail("trial=%d, i=%d, index=%d", trial, i, room[i]);
          }
        }
      } catch (MalformedPayloadException expected) {
        assertThat(expected).hasMessageContaining("=");
      }
    }
  }

  @Test
  void moreThanTheReaderHoldsIsRefused() {
    int[] indices = IntStream.range(0, 50).toArray();
    for (IndexCodec codec : codecs()) {
      ByteBuffer in = ByteBuffer.wrap(bytes(codec, indices, 50, 100));
      assertThatThrownBy(() -> codec.decode(in, 100, new int[49], SCRATCH))
          .isInstanceOf(MalformedPayloadException.class);
    }
  }

  @Test
  void gammaCodesAreTheKnownOnes() {
    // Gaps 1, 2, 5 are 1, 01 0, 001 10 (low bits from the lowest up), filling bytes likewise.
    byte[] bytes = bytes(new EliasGamma(), new int[] {0, 2, 7}, 3, 8);
    assertThat(bytes).containsExactly(3, 0, 0, 0, (byte) 0b1100_0101, 0);
  }

  @Test
  void theAutomaticChoiceIsTheSmallest() {
    SplittableRandom random = new SplittableRandom(1);
    for (double density : new double[] {0, 0.00001, 0.001, 0.1, 0.5, 0.99}) {
      int[] indices =
          IntStream.range(0, 100_000).filter(i -> random.nextDouble() < density).toArray();
      int smallest =
          codecs().subList(0, 3).stream()
              .mapToInt(codec -> bytes(codec, indices, indices.length, 100_000).length)
              .min()
              .orElseThrow();
      assertThat(bytes(new SmallestIndices(), indices, indices.length, 100_000))
          .as("density=%s", density)
          .hasSize(1 + smallest);
    }
  }

  private static void assertRoundTrip(IndexCodec codec, int[] indices, int universe, String label) {
    PayloadWriter out = new PayloadWriter(16);
    out.writeByte(7);
    codec.encode(indices, indices.length, universe, out, SCRATCH);
    out.writeInt(0x1234_5678);
    ByteBuffer in = out.finish().buffer();
    assertThat(in.get()).isEqualTo((byte) 7);
    int[] back = new int[indices.length];
    assertThat(codec.decode(in, universe, back, SCRATCH)).as(label).isEqualTo(indices.length);
    assertThat(back).as(label).isEqualTo(indices);
    assertThat(in.getInt()).as(label).isEqualTo(0x1234_5678);
    assertThat(in.hasRemaining()).isFalse();
  }

  private static byte[] bytes(IndexCodec codec, int[] indices, int count, int universe) {
    PayloadWriter out = new PayloadWriter(16);
    codec.encode(indices, count, universe, out, SCRATCH);
    Payload payload = out.finish();
    byte[] bytes = new byte[payload.size()];
    payload.buffer().get(bytes);
    return bytes;
  }
}
