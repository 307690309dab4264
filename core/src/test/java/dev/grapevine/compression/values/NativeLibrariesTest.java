package dev.grapevine.compression.values;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Exchanges streams with the installed libraries; skipped, with a message, where they are not. */
class NativeLibrariesTest {

  private static final Scratch SCRATCH = new Scratch();

  private static final int RUNS = 200;
  private static final int ZFP_TYPE_FLOAT = 3;

  @Test
  void libzfpReadsOursAndWeReadIts() throws Throwable {
    SymbolLookup zfp = library("libzfp.so.1", "libzfp1");
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      float[] values = values(random);
      double tolerance = Math.pow(10, -random.nextInt(8));
      FloatCodec codec = new Zfp(new Zfp.Settings(tolerance));
      byte[] ours = bytes(codec, values);
      float[] read = decode(codec, ours, values.length);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment data = copy(values, arena);
        MemorySegment buffer = arena.allocate(64 + 32L * values.length, 8);
        MemorySegment stream = openZfp(zfp, buffer, tolerance);
        MemorySegment field = zfpField(zfp, data, values.length);
        long size =
            (long) bind(zfp, "zfp_compress", JAVA_LONG, ADDRESS, ADDRESS).invoke(stream, field);
        assertThat(buffer.asSlice(0, size).toArray(JAVA_BYTE))
            .as("seed=%d", seed)
            .isEqualTo(java.util.Arrays.copyOfRange(ours, 1, ours.length));
        bindVoid(zfp, "zfp_stream_rewind", ADDRESS).invoke(stream);
        assertThat(
                (long)
                    bind(zfp, "zfp_decompress", JAVA_LONG, ADDRESS, ADDRESS).invoke(stream, field))
            .isPositive();
        assertThat(data.toArray(JAVA_FLOAT)).as("seed=%d", seed).isEqualTo(read);
        bindVoid(zfp, "zfp_field_free", ADDRESS).invoke(field);
        bindVoid(zfp, "zfp_stream_close", ADDRESS).invoke(stream);
      }
    }
  }

  private static MemorySegment openZfp(SymbolLookup zfp, MemorySegment buffer, double tolerance)
      throws Throwable {
    MemorySegment bits =
        (MemorySegment)
            bind(zfp, "stream_open", ADDRESS, ADDRESS, JAVA_LONG).invoke(buffer, buffer.byteSize());
    MemorySegment stream =
        (MemorySegment) bind(zfp, "zfp_stream_open", ADDRESS, ADDRESS).invoke(bits);
    bind(zfp, "zfp_stream_set_accuracy", JAVA_DOUBLE, ADDRESS, JAVA_DOUBLE)
        .invoke(stream, tolerance);
    return stream;
  }

  private static MemorySegment zfpField(SymbolLookup zfp, MemorySegment data, int count)
      throws Throwable {
    return (MemorySegment)
        bind(zfp, "zfp_field_1d", ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG)
            .invoke(data, ZFP_TYPE_FLOAT, (long) count);
  }

  @Test
  void libfpzipReadsOurs() throws Throwable {
    SymbolLookup fpzip = library("libfpzip.so.1", "libfpzip1");
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      float[] values = values(random);
      int precision = random.nextInt(10, 32);
      FloatCodec codec = new Fpzip(new Fpzip.Settings(precision));
      byte[] ours = bytes(codec, values);
      float[] read = decode(codec, ours, values.length);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment buffer = arena.allocate(ours.length + 1024L + 16L * values.length);
        MemorySegment.copy(ours, 1, buffer, JAVA_BYTE, 0, ours.length - 1);
        MemorySegment target = arena.allocate(JAVA_FLOAT, values.length);
        MemorySegment stream =
            (MemorySegment) bind(fpzip, "fpzip_read_from_buffer", ADDRESS, ADDRESS).invoke(buffer);
        assertThat((int) bind(fpzip, "fpzip_read_header", JAVA_INT, ADDRESS).invoke(stream))
            .isEqualTo(1);
        long size =
            (long) bind(fpzip, "fpzip_read", JAVA_LONG, ADDRESS, ADDRESS).invoke(stream, target);
        assertThat(size).as("seed=%d", seed).isEqualTo(ours.length - 1L);
        assertThat(target.toArray(JAVA_FLOAT)).as("seed=%d", seed).isEqualTo(read);
        bindVoid(fpzip, "fpzip_read_close", ADDRESS).invoke(stream);
      }
    }
  }

  private static SymbolLookup library(String name, String debian) {
    try {
      return SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException e) {
      return Assumptions.abort(
          name + " is not installed (Debian: " + debian + "); the fixtures were still checked");
    }
  }

  private static MethodHandle bind(
      SymbolLookup symbols, String name, MemoryLayout result, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  private static MethodHandle bindVoid(
      SymbolLookup symbols, String name, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.ofVoid(arguments));
  }

  private static float[] values(SplittableRandom random) {
    float[] values = new float[1 + random.nextInt(500)];
    double scale = Math.pow(10, random.nextInt(-4, 4));
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (scale * random.nextGaussian() * Math.exp(2 * random.nextGaussian()));
    }
    return values;
  }

  private static MemorySegment copy(float[] values, Arena arena) {
    MemorySegment data = arena.allocate(JAVA_FLOAT, values.length);
    MemorySegment.copy(values, 0, data, JAVA_FLOAT, 0, values.length);
    return data;
  }

  private static byte[] bytes(FloatCodec codec, float[] values) {
    PayloadWriter out = new PayloadWriter(16);
    codec.encode(values, values.length, out, SCRATCH);
    ByteBuffer in = out.finish().buffer();
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }

  private static float[] decode(FloatCodec codec, byte[] bytes, int count) {
    float[] values = new float[count];
    codec.decode(ByteBuffer.wrap(bytes), values, count, SCRATCH);
    return values;
  }
}
