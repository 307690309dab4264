package dev.grapevine.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vector kernels do what the scalar kernels do, within rounding, over many odd shapes. */
final class KernelAgreementTest {

  private static final Offset<Float> ROUNDING = Offset.offset(1e-3f);

  /** A multiple of every panel. */
  private static final int CHANNELS = 32;

  private final Kernels scalar = new ScalarKernels();
  private final Kernels vector = new VectorKernels();

  private static float[] random(int length, SplittableRandom random) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static void assertClose(float[] actual, float[] expected) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(actual[i]).as("index %d", i).isCloseTo(expected[i], ROUNDING);
    }
  }

  /** A product with all of a kernel's variants: tails, bias, accumulation. */
  private static float[] product(Kernels kernels, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = 1 + random.nextInt(20);
    int depth = 1 + random.nextInt(60);
    int columns = 1 + random.nextInt(70);
    float[] a = random(count * depth, random);
    float[] b = random(depth * columns, random);
    float[] c = random(count * columns, random);
    int panel = kernels.panel();
    float[] bias = Arrays.copyOf(random(columns, random), columns + panel);
    boolean accumulate = random.nextBoolean();
    boolean withBias = random.nextBoolean();
    float[] packed = new float[Product.packedSize(kernels, depth, columns)];
    for (int j = 0; j < columns; j += panel) {
      kernels.packPanel(b, j, columns, depth, columns - j, packed, j * depth);
    }
    int[] aRows = Rows.evenly(count, depth);
    int[] cRows = Rows.evenly(count, columns);
    float[] tile = new float[kernels.tile()];
    for (int j = 0; j < columns; j += panel) {
      kernels.rows(
          a,
          aRows,
          0,
          0,
          packed,
          j * depth,
          depth,
          c,
          cRows,
          0,
          j,
          count,
          columns - j,
          accumulate,
          withBias ? bias : null,
          j,
          tile);
    }
    return c;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000, 2000, 3000})
  void productsAgree(int firstSeed) {
    for (int seed = firstSeed; seed < firstSeed + 100; seed++) {
      assertClose(product(vector, seed), product(scalar, seed));
    }
  }

  @ParameterizedTest
  @EnumSource(MinimalFiltering.class)
  void tileLoopsAgree(MinimalFiltering filtering) {
    for (int seed = 0; seed < 20; seed++) {
      assertClose(
          tileLoops(vector, filtering, seed, CHANNELS),
          tileLoops(scalar, filtering, seed, CHANNELS));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 10, 16, 25, 33, 144})
  void rowsBecomeColumnsAndBack(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (Kernels kernels : KernelsUnderTest.all()) {
      int panel = kernels.panel();
      int stride = columns == 9 ? 9 : columns + random.nextInt(3);
      float[] source = random(2 + panel * stride, random);
      // The table goes on for a block or ends with the last column.
      for (int table : new int[] {columns, columns + 16}) {
        int[] starts = new int[table];
        for (int k = 0; k < table; k++) {
          starts[k] = (k < columns ? columns - 1 - k : k) * panel;
        }
        float[] turned = new float[3 + table * panel];
        float[] tile = new float[kernels.tile()];
        kernels.toColumns(source, 2, stride, columns, turned, starts, 0, 3, tile);
        float[] back = new float[source.length];
        kernels.toRows(turned, starts, 0, 3, columns, back, 2, stride, tile);
        for (int j = 0; j < panel; j++) {
          for (int k = 0; k < columns; k++) {
            float expected = source[2 + j * stride + k];
            assertThat(turned[3 + (columns - 1 - k) * panel + j]).isEqualTo(expected);
            assertThat(back[2 + j * stride + k]).isEqualTo(expected);
          }
        }
      }
    }
  }

  /** Products of all counts of tiles, begun and gone on with. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 6, 7, 8, 13, 15, 24})
  void tileProductsAgree(int count) {
    SplittableRandom random = new SplittableRandom(count);
    int panel = vector.panel();
    int rows = count + Rows.BLOCK;
    float[] v = random(2 * rows * panel, random);
    float[] u = random(2 * panel * panel, random);
    float[] start = random(rows * panel, random);
    float[] z = start.clone();
    vector.tiles().times(v, 0, 2, rows * panel, u, 0, z, 0, count, true);
    float[] fresh = start.clone();
    vector.tiles().times(v, 0, 2, rows * panel, u, 0, fresh, 0, count, false);
    float[] outer = u.clone();
    vector.tiles().outer(v, 0, start, 0, count, outer, 0, true);
    for (int tile = 0; tile < count; tile++) {
      for (int j = 0; j < panel; j++) {
        double sum = 0;
        for (int c = 0; c < 2 * panel; c++) {
          sum += v[c / panel * rows * panel + tile * panel + c % panel] * u[c * panel + j];
        }
        int at = tile * panel + j;
        assertThat((double) fresh[at]).isCloseTo(sum, Offset.offset(1e-3));
        assertThat((double) z[at]).isCloseTo(sum + start[at], Offset.offset(1e-3));
      }
    }
    for (int i = 0; i < panel; i++) {
      for (int j = 0; j < panel; j++) {
        double sum = u[i * panel + j];
        for (int tile = 0; tile < count; tile++) {
          sum += v[tile * panel + i] * start[tile * panel + j];
        }
        assertThat((double) outer[i * panel + j]).isCloseTo(sum, Offset.offset(1e-3));
      }
    }
  }

  /** All transforms and products of one random tile, for so many channels. */
  private static float[] tileLoops(
      Kernels kernels, MinimalFiltering filtering, long seed, int channels) {
    SplittableRandom random = new SplittableRandom(seed);
    int points = filtering.products();
    float[] image = random(points * channels, random);
    float[] start = random(channels, random);
    float[] scratch = new float[filtering.scratch(kernels)];
    float[] all = new float[6 * points * channels];
    int panel = kernels.panel();
    TileKernels tiles = kernels.tiles();
    int row = filtering.tile() * channels;
    for (int c = 0; c < channels; c += panel) {
      int at = c;
      tiles.input(filtering, image, at, row, channels, all, at, channels, scratch);
      at += points * channels;
      tiles.output(filtering, image, c, channels, all, at, row, channels, start, c, scratch);
      at += points * channels;
      tiles.gradient(filtering, image, c, row, channels, all, at, channels, scratch);
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 9, 16, 31, 62})
  void elementwiseLoopsAgree(int count) {
    SplittableRandom random = new SplittableRandom(count);
    float[] x = random(count, random);
    float[] y = random(count, random);
    float[] d = random(count, random);
    float[][] results = new float[2][];
    for (int k = 0; k < 2; k++) {
      Kernels kernels = k == 0 ? scalar : vector;
      float[] all = new float[6 * count];
      System.arraycopy(y, 0, all, 0, count);
      kernels.addScaled(0.3f, x, 0, all, 0, count);
      kernels.relu(x, 0, all, count, count);
      kernels.reluGradient(y, 0, d, 0, all, 2 * count, count);
      kernels.sigmoid(x, 0, all, 3 * count, count);
      kernels.tanh(x, 0, all, 4 * count, count);
      kernels.addRelu(x, 0, y, 0, all, 5 * count, count);
      results[k] = all;
    }
    assertClose(results[1], results[0]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 13, 16, 37})
  void channelLoopsAgree(int channels) {
    assertClose(
        channelLoops(vector.channels(), channels), channelLoops(scalar.channels(), channels));
  }

  private static float[] channelLoops(ChannelKernels kernels, int channels) {
    SplittableRandom random = new SplittableRandom(channels);
    int pixels = 6;
    int row = pixels * channels;
    float[] x = random(2 * row, random);
    float[] d = random(row, random);
    ChannelTerms terms = new ChannelTerms(channels);
    for (int c = 0; c < channels; c++) {
      terms.scale()[c] = (float) random.nextGaussian();
      terms.shift()[c] = (float) random.nextGaussian();
      terms.slope()[c] = (float) random.nextGaussian();
      terms.offset()[c] = (float) random.nextGaussian();
      terms.center()[c] = (float) random.nextGaussian();
    }
    float[] all = new float[10 * row];
    kernels.sums(x, 0, pixels, channels, all, 0);
    kernels.moments(x, 0, pixels, channels, terms);
    kernels.affine(x, 0, all, row, pixels, channels, terms, true);
    kernels.affine(x, 0, all, 2 * row, pixels, channels, terms, false);
    kernels.affineSums(x, 0, d, 0, pixels, channels, terms, true);
    kernels.affineGradient(x, 0, d, 0, all, 3 * row, pixels, channels, terms, true);
    kernels.affineGradient(x, 0, d, 0, all, 4 * row, pixels, channels, terms, false);
    kernels.pooled(x, 0, row, all, 5 * row, pixels / 2, channels, terms);
    kernels.pooledSums(x, 0, row, d, 0, pixels / 2, channels, terms);
    kernels.pooledGradient(x, 0, row, d, 0, all, 6 * row, row, pixels / 2, channels, terms);
    System.arraycopy(terms.sum(), 0, all, 9 * row, channels);
    System.arraycopy(terms.product(), 0, all, 9 * row + channels, channels);
    return all;
  }
}
