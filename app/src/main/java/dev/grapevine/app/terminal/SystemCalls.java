package dev.grapevine.app.terminal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.OptionalInt;

/** The three calls of the C library that are needed; where one is missing, nothing happens. */
final class SystemCalls {

  /** The request "how large is the window" is a number of its own on every system. */
  private static final long WINDOW_SIZE =
      System.getProperty("os.name", "").startsWith("Mac") ? 0x40087468L : 0x5413L;

  private static final int SIZE_BYTES = 8;

  private SystemCalls() {}

  /** Makes {@code to} another name of what {@code from} is, and gives up {@code from}. */
  static void move(int from, int to) {
    try {
      int given = (int) handle("dup2", 2).invokeExact(from, to);
      if (given == to) {
        int unused = (int) handle("close", 1).invokeExact(from);
      }
    } catch (Throwable unavailable) {
      // The stream stays as it is: messages still arrive, by way of the filter.
    }
  }

  /** The columns of the terminal that {@code descriptor} is; empty when it is none. */
  static OptionalInt columns(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(SIZE_BYTES, ValueLayout.JAVA_LONG.byteAlignment());
      MethodHandle ioctl =
          Linker.nativeLinker()
              .downcallHandle(
                  Linker.nativeLinker().defaultLookup().find("ioctl").orElseThrow(),
                  FunctionDescriptor.of(
                      ValueLayout.JAVA_INT,
                      ValueLayout.JAVA_INT,
                      ValueLayout.JAVA_LONG,
                      ValueLayout.ADDRESS),
                  Linker.Option.firstVariadicArg(2));
      int failed = (int) ioctl.invokeExact(descriptor, WINDOW_SIZE, size);
      return failed == 0
          ? OptionalInt.of(Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, Short.BYTES)))
          : OptionalInt.empty();
    } catch (Throwable unavailable) {
      return OptionalInt.empty();
    }
  }

  private static MethodHandle handle(String name, int arguments) {
    ValueLayout.OfInt number = ValueLayout.JAVA_INT;
    return Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().find(name).orElseThrow(),
            arguments == 1
                ? FunctionDescriptor.of(number, number)
                : FunctionDescriptor.of(number, number, number));
  }
}
