package dev.grapevine.benchmarks.sharing;

import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
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
import dev.grapevine.scratch.Scratch;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Speed and ratio of selection, transforms and codecs at a tenth of the wavelet coefficients of a
 * trained model's change, on one thread by its processor time, as the best of some repetitions.
 */
final class CodecSpeeds {

  private static final double SHARE = 0.1;

  /** The wavelet's target is for models larger than this. */
  private static final int LARGE = 4_000_000;

  private static final double MOST_WAVELET_MILLIS = 30;

  /** Ratios in the thesis, on 10 % of the wavelet coefficients. */
  private static final Map<String, Double> THESIS =
      Map.of(
          "float16", 2.00,
          "zfp 0.001", 3.09,
          "zfp 0.01", 4.38,
          "fpzip 18", 2.04,
          "elias-gamma", 6.78);

  private final TrainedModel model;
  private final double roundMillis;
  private final double seconds;
  private final int batch;
  private final Scratch scratch = new Scratch();
  private final Report report;
  private final Table steps;
  private final Table codecs;

  /**
   * @param roundMillis the training of one GN-LeNet round, for comparison
   * @param seconds how long each step is repeated
   */
  CodecSpeeds(TrainedModel model, double roundMillis, double seconds, Report report) {
    this.model = model;
    this.roundMillis = roundMillis;
    this.seconds = seconds;
    // Short vectors are worked on several times between two looks at the clock.
    this.batch = Math.max(1, 1_000_000 / model.size());
    this.report = report;
    String name = Table.key(model.name());
    String size = "%s, %,d parameters".formatted(model.name(), model.size());
    this.steps =
        report.table(
            "steps_" + name, "Steps on " + size, "step", "ms", "GB/s of model", "% of training");
    this.codecs =
        report.table(
            "codecs_" + name,
            "Codecs on a tenth of " + size,
            "codec",
            "encode GB/s",
            "decode GB/s",
            "ratio",
            "thesis");
  }

  void measure() {
    transform("haar", Wavelet.maximal("haar"));
    transform("db10", Wavelet.maximal("db10"));
    transform("fourier", new Fourier());
    float[] coefficients = transform("sym2", Wavelet.maximal("sym2"));

    float[] scores = new float[coefficients.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = Math.abs(coefficients[i]);
    }
    int k = (int) (SHARE * scores.length);
    int[] indices = new int[k];
    time("top-k", () -> TopK.select(scores, k, indices, scratch));
    float[] values = new float[k];
    for (int i = 0; i < k; i++) {
      values[i] = coefficients[indices[i]];
    }
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
    codecs.put("affine8", new Affine8(new Affine8.Settings(255)));
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
    float[] vector = model.sinceInitialisation();
    float[] coefficients = new float[transform.size(vector.length)];
    float[] back = new float[vector.length];
    double forward =
        time(name + " forward", () -> transform.forward(vector, coefficients, scratch));
    time(name + " inverse", () -> transform.inverse(coefficients, back, scratch));
    if (name.equals("sym2")) {
      String what = "wavelet transform (sym2) of %,d floats".formatted(vector.length);
      Figure figure = Figure.of(what, forward, "ms");
      report.figure(vector.length > LARGE ? figure.atMost(MOST_WAVELET_MILLIS) : figure);
    }
    return coefficients;
  }

  private void measure(String name, IndexCodec codec, int[] indices, int universe) {
    int count = indices.length;
    PayloadWriter writer = new PayloadWriter(Integer.BYTES * count);
    double encode =
        time(
            "indices: encode " + name,
            () -> {
              writer.truncate(0);
              codec.encode(indices, count, universe, writer, scratch);
            });
    Payload payload = writer.finish();
    int[] back = new int[count];
    double decode =
        time(
            "indices: decode " + name,
            () -> codec.decode(payload.buffer(), universe, back, scratch));
    tell("indices: ", name, Integer.BYTES * (long) count, encode, decode, payload.size());
  }

  private void measure(String name, FloatCodec codec, float[] values) {
    int count = values.length;
    PayloadWriter writer = new PayloadWriter(Float.BYTES * count);
    double encode =
        time(
            "values: encode " + name,
            () -> {
              writer.truncate(0);
              codec.encode(values, count, writer, scratch);
            });
    Payload payload = writer.finish();
    float[] back = new float[count];
    double decode =
        time("values: decode " + name, () -> codec.decode(payload.buffer(), back, count, scratch));
    tell("values: ", name, Float.BYTES * (long) count, encode, decode, payload.size());
  }

  private void tell(String what, String name, long raw, double encode, double decode, int size) {
    double encoding = raw / 1e6 / encode;
    double decoding = raw / 1e6 / decode;
    codecs.row(what + name, encoding, decoding, (double) raw / size, THESIS.get(name));
    if (name.equals("elias-gamma")) {
      String of = " of %,d parameters".formatted(model.size());
      report.figure(Figure.of("Elias gamma, encoding indices" + of, encoding, "GB/s").atLeast(1));
      report.figure(Figure.of("Elias gamma, decoding indices" + of, decoding, "GB/s").atLeast(1));
    }
  }

  /** Adds a row and returns the milliseconds. */
  private double time(String name, Runnable work) {
    double millis = best(work);
    steps.row(name, millis, Float.BYTES * model.size() / 1e6 / millis, 100 * millis / roundMillis);
    return millis;
  }

  private double best(Runnable work) {
    double best = Double.POSITIVE_INFINITY;
    double begin = ProcessorTime.ofThread();
    double now = begin;
    do {
      double start = now;
      for (int i = 0; i < batch; i++) {
        work.run();
      }
      now = ProcessorTime.ofThread();
      best = Math.min(best, now - start);
    } while (now - begin < seconds);
    return best * 1e3 / batch;
  }
}
