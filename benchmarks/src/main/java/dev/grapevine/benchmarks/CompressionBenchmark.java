package dev.grapevine.benchmarks;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.TopK;
import dev.grapevine.compression.Transform;
import dev.grapevine.compression.index.EliasGamma;
import dev.grapevine.compression.transform.Wavelet;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import java.util.SplittableRandom;

/** Speeds and ratios of selection, transforms and codecs, on one thread. */
public final class CompressionBenchmark {

  private static final int REPEATS = 15;

  private final int parameters;
  private final float[] change;

  public CompressionBenchmark(int parameters, long seed) {
    this.parameters = parameters;
    this.change = modelChange(parameters, seed);
  }

  public static void main(String[] arguments) {
    int parameters = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4_300_000;
    new CompressionBenchmark(parameters, 90).run();
  }

  public void run() {
    Transform wavelet = Wavelet.maximal("sym2");
    float[] c = new float[wavelet.size(parameters)];
    float[] x = new float[parameters];
    report("sym2 forward", 4L * parameters, () -> wavelet.forward(change, c));
    report("sym2 inverse", 4L * parameters, () -> wavelet.inverse(c, x));
    Transform db10 = Wavelet.maximal("db10");
    float[] c10 = new float[db10.size(parameters)];
    report("db10 forward", 4L * parameters, () -> db10.forward(change, c10));
    report("db10 inverse", 4L * parameters, () -> db10.inverse(c10, x));
    float[] scores = new float[c.length];
    for (int i = 0; i < c.length; i++) {
      scores[i] = Math.abs(c[i]);
    }
    int k = c.length / 10;
    int[] indices = new int[k];
    report("top-k", 4L * c.length, () -> TopK.select(scores, k, indices));
    IndexCodec elias = new EliasGamma();
    report(
        "elias encode", 4L * k, () -> elias.encode(indices, k, c.length, new PayloadWriter(k * 2)));
    PayloadWriter w = new PayloadWriter(k);
    elias.encode(indices, k, c.length, w);
    Payload p = w.finish();
    int[] back = new int[k];
    report("elias decode", 4L * k, () -> elias.decode(p.buffer(), c.length, back));
    System.out.printf("ratio %.2f%n", 4.0 * k / p.size());
  }

  private static void report(String name, long bytes, Runnable work) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < REPEATS; i++) {
      long start = System.nanoTime();
      work.run();
      best = Math.min(best, System.nanoTime() - start);
    }
    System.out.printf("%-30s %8.2f ms %8.2f GB/s%n", name, best / 1e6, (double) bytes / best);
  }

  static float[] modelChange(int parameters, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] change = new float[parameters];
    double scale = 1;
    for (int i = 0; i < parameters; i++) {
      if (i % 500 == 0) {
        scale = Math.exp(random.nextGaussian() - 4);
      }
      change[i] = (float) (scale * random.nextGaussian());
    }
    return change;
  }
}
