package dev.grapevine.compression.values;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.grapevine.UserException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** The functions of libfpzip 1.3 that are needed, bound once. */
final class FpzipLibrary {

  private static final List<String> NAMES =
      List.of("libfpzip.so.1", "libfpzip.so", "libfpzip.dylib", "fpzip.dll");

  /** type, prec, nx, ny, nz, nf. */
  private static final long HEADER_BYTES = 6L * Integer.BYTES;

  private final MethodHandle writeToBuffer;
  private final MethodHandle writeHeader;
  private final MethodHandle write;
  private final MethodHandle writeClose;
  private final MethodHandle readFromBuffer;
  private final MethodHandle readHeader;
  private final MethodHandle read;
  private final MethodHandle readClose;

  private FpzipLibrary(SymbolLookup symbols) {
    writeToBuffer = bind(symbols, "fpzip_write_to_buffer", ADDRESS, ADDRESS, JAVA_LONG);
    writeHeader = bind(symbols, "fpzip_write_header", JAVA_INT, ADDRESS);
    write = bind(symbols, "fpzip_write", JAVA_LONG, ADDRESS, ADDRESS);
    writeClose = bindVoid(symbols, "fpzip_write_close");
    readFromBuffer = bind(symbols, "fpzip_read_from_buffer", ADDRESS, ADDRESS);
    readHeader = bind(symbols, "fpzip_read_header", JAVA_INT, ADDRESS);
    read = bind(symbols, "fpzip_read", JAVA_LONG, ADDRESS, ADDRESS);
    readClose = bindVoid(symbols, "fpzip_read_close");
  }

  /** Finds and binds the library. */
  static FpzipLibrary load() {
    for (String name : NAMES) {
      try {
        return new FpzipLibrary(SymbolLookup.libraryLookup(name, Arena.global()));
      } catch (IllegalArgumentException e) {
        // Not under this name; the next one may do.
      }
    }
    throw new UserException(
        "fpzip needs the native library libfpzip 1.3, which was not found: install it (Debian:"
            + " libfpzip-dev), or choose zfp or zstd, which need nothing");
  }

  /** Compresses {@code count} floats with a header; returns the number of bytes, 0 if it failed. */
  long compress(MemorySegment values, int count, int precision, MemorySegment target) {
    try {
      MemorySegment stream = (MemorySegment) writeToBuffer.invokeExact(target, target.byteSize());
      if (stream.address() == 0) {
        return 0;
      }
      describe(stream.reinterpret(HEADER_BYTES), count, precision);
      long size = 0;
      if ((int) writeHeader.invokeExact(stream) != 0) {
        size = (long) write.invokeExact(stream, values);
      }
      writeClose.invokeExact(stream);
      return size;
    } catch (Throwable e) {
      throw new IllegalStateException("libfpzip could not be called", e);
    }
  }

  /** Decompresses {@code count} floats; false when the stream says it holds something else. */
  boolean decompress(MemorySegment source, int count, int precision, MemorySegment values) {
    try {
      MemorySegment stream = (MemorySegment) readFromBuffer.invokeExact(source);
      if (stream.address() == 0) {
        return false;
      }
      MemorySegment header = stream.reinterpret(HEADER_BYTES);
      boolean good =
          (int) readHeader.invokeExact(stream) != 0
              && isDescribedAs(header, count, precision)
              && (long) read.invokeExact(stream, values) != 0;
      readClose.invokeExact(stream);
      return good;
    } catch (Throwable e) {
      throw new IllegalStateException("libfpzip could not be called", e);
    }
  }

  private static int[] header(int count, int precision) {
    return new int[] {0, precision, count, 1, 1, 1};
  }

  private static void describe(MemorySegment header, int count, int precision) {
    MemorySegment.copy(header(count, precision), 0, header, JAVA_INT, 0, 6);
  }

  private static boolean isDescribedAs(MemorySegment header, int count, int precision) {
    return MemorySegment.ofArray(header(count, precision)).mismatch(header) < 0;
  }

  private static MethodHandle bind(
      SymbolLookup symbols, String name, MemoryLayout result, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  private static MethodHandle bindVoid(SymbolLookup symbols, String name) {
    return Linker.nativeLinker()
        .downcallHandle(symbols.findOrThrow(name), FunctionDescriptor.ofVoid(ADDRESS));
  }
}
