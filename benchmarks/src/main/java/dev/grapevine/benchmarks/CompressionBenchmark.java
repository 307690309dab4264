package dev.grapevine.benchmarks;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.TopK;
import dev.grapevine.compression.Transform;
import dev.grapevine.compression.index.Bitmap;
import dev.grapevine.compression.index.EliasGamma;
import dev.grapevine.compression.index.RawIndices;
import dev.grapevine.compression.index.SmallestIndices;
import dev.grapevine.compression.transform.Fourier;
import dev.grapevine.compression.transform.Wavelet;
import dev.grapevine.compression.values.Affine8;
import dev.grapevine.compression.values.BFloat16;
import dev.grapevine.compression.values.Float16;
import dev.grapevine.compression.values.Fpzip;
import dev.grapevine.compression.values.Lz4;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.compression.values.StochasticQuantizer;
import dev.grapevine.compression.values.Zfp;
import dev.grapevine.compression.values.Zstandard;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Speed and ratio of selection, transforms and codecs at a tenth of the wavelet coefficients, on
 * one thread. Speeds are of the uncompressed bytes, as the best of some repetitions: others share
 * the machine. Ratios stand beside those of the thesis, measured there on real models; here the
 * vector is a model's change given by the caller, or one drawn block by block from normal
 * distributions.
 */
public final class CompressionBenchmark {

  private static final double SHARE = 0.1;

  /** Nanoseconds of work after which the compiler has seen enough of a step. */
  private static final long WARM_UP = 400_000_000;

  /** Ratios in the thesis, on 10 % of the wavelet coefficients. */
  private static final Map<String, String> THESIS =
      Map.of(
          "float16", "2.00",
          "zfp 0.001", "3.09",
          "zfp 0.01", "4.38",
          "fpzip 18", "2.04",
          "elias-gamma", "6.78");

  private final float[] vector;
  private final int repetitions;
  private final int batch;
  private final PrintStream out;

  /**
   * @param vector a model's parameters or their change
   * @param repetitions how often each step is timed
   */
  public CompressionBenchmark(float[] vector, int repetitions, PrintStream out) {
    this.vector = vector;
    this.repetitions = repetitions;
    // Short vectors are worked on several times between two looks at the clock.
    this.batch = Math.max(1, 1_000_000 / Math.max(1, vector.length));
    this.out = out;
  }

  /** Arguments: the number of parameters, the number of repetitions. */
  public static void main(String[] arguments) {
    int parameters = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4_300_000;
    int repetitions = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
    new CompressionBenchmark(drawn(parameters, 90), repetitions, System.out).run();
  }

  public void run() {
    line("%-22s %10s %10s%n", "step", "ms", "GB/s");
    transform("wavelet haar", Wavelet.maximal("haar"));
    transform("wavelet db10", Wavelet.maximal("db10"));
    transform("fourier", new Fourier());
    float[] coefficients = transform("wavelet sym2", Wavelet.maximal("sym2"));

    float[] scores = new float[coefficients.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = Math.abs(coefficients[i]);
    }
    int k = (int) (SHARE * scores.length);
    int[] indices = new int[k];
    time("top-k", Float.BYTES * (long) scores.length, () -> TopK.select(scores, k, indices));
    float[] values = new float[k];
    for (int i = 0; i < k; i++) {
      values[i] = coefficients[indices[i]];
    }

    line("%n%-22s %10s %10s %10s %10s%n", "codec", "encode", "decode", "ratio", "thesis");
    line("%-22s %10s %10s%n", "", "GB/s", "GB/s");
    indexCodecs().forEach((name, codec) -> measure(name, codec, indices, scores.length));
    floatCodecs().forEach((name, codec) -> measure(name, codec, values));
  }

  private static Map<String, IndexCodec> indexCodecs() {
    Map<String, IndexCodec> codecs = new LinkedHashMap<>();
    codecs.put("elias-gamma", new EliasGamma());
    codecs.put("bitmap", new Bitmap());
    codecs.put("raw", new RawIndices());
    codecs.put("auto", new SmallestIndices());
    return codecs;
  }

  private static Map<String, FloatCodec> floatCodecs() {
    Map<String, FloatCodec> codecs = new LinkedHashMap<>();
    codecs.put("raw", new RawFloats());
    codecs.put("float16", new Float16());
    codecs.put("bfloat16", new BFloat16());
    codecs.put("affine8", new Affine8());
    codecs.put("stochastic 4", new StochasticQuantizer(new StochasticQuantizer.Settings(4)));
    codecs.put("zfp 0.001", new Zfp(new Zfp.Settings(0.001)));
    codecs.put("zfp 0.01", new Zfp(new Zfp.Settings(0.01)));
    codecs.put("fpzip 32", new Fpzip(new Fpzip.Settings(32)));
    codecs.put("fpzip 18", new Fpzip(new Fpzip.Settings(18)));
    codecs.put("lz4", new Lz4());
    codecs.put("zstd", new Zstandard(new Zstandard.Settings(3)));
    return codecs;
  }

  private float[] transform(String name, Transform transform) {
    float[] coefficients = new float[transform.size(vector.length)];
    float[] back = new float[vector.length];
    long bytes = Float.BYTES * (long) vector.length;
    time(name + " forward", bytes, () -> transform.forward(vector, coefficients));
    time(name + " inverse", bytes, () -> transform.inverse(coefficients, back));
    return coefficients;
  }

  private void measure(String name, IndexCodec codec, int[] indices, int universe) {
    int count = indices.length;
    long raw = Integer.BYTES * (long) count;
    PayloadWriter writer = new PayloadWriter((int) raw);
    long encode =
        best(() -> {
          writer.truncate(0);
          codec.encode(indices, count, universe, writer);
        });
    Payload payload = writer.finish();
    int[] back = new int[count];
    long decode = best(() -> codec.decode(payload.buffer(), universe, back));
    report("indices: " + name, name, raw, encode, decode, payload.size());
  }

  private void measure(String name, FloatCodec codec, float[] values) {
    int count = values.length;
    long raw = Float.BYTES * (long) count;
    PayloadWriter writer = new PayloadWriter((int) raw);
    long encode =
        best(() -> {
          writer.truncate(0);
          codec.encode(values, count, writer);
        });
    Payload payload = writer.finish();
    float[] back = new float[count];
    long decode = best(() -> codec.decode(payload.buffer(), back, count));
    report("values: " + name, name, raw, encode, decode, payload.size());
  }

  private void report(String label, String name, long raw, long encode, long decode, int size) {
    line(
        "%-22s %10.3f %10.3f %10.2f %10s%n",
        label,
        (double) raw / encode,
        (double) raw / decode,
        (double) raw / size,
        THESIS.getOrDefault(name, ""));
  }

  private void time(String name, long bytes, Runnable work) {
    long nanoseconds = best(work);
    line("%-22s %10.2f %10.3f%n", name, nanoseconds / 1e6, (double) bytes / nanoseconds);
  }

  private long best(Runnable work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long best = Long.MAX_VALUE;
    long begin = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < repetitions || threads.getCurrentThreadCpuTime() - begin < WARM_UP; i++) {
      long start = threads.getCurrentThreadCpuTime();
      for (int j = 0; j < batch; j++) {
        work.run();
      }
      best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
    }
    return best / batch;
  }

  private void line(String format, Object... arguments) {
    out.printf(Locale.ROOT, format, arguments);
  }

  /** A vector of blocks, each with a spread of its own, somewhat like a model's layers. */
  static float[] drawn(int parameters, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] vector = new float[parameters];
    double spread = 1;
    for (int i = 0; i < parameters; i++) {
      if (i % 800 == 0) {
        spread = Math.exp(0.7 * random.nextGaussian() - 3);
      }
      vector[i] = (float) (spread * random.nextGaussian());
    }
    return vector;
  }
}
