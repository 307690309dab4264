package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records as bytes, field by field in their order, so that nothing is written twice. A sealed
 * interface is written as the number of the record among those it permits, then the record. Known
 * are numbers, booleans, texts, arrays of numbers, enums, durations, records and lists of these.
 * Lengths are checked against what has come before anything is allocated.
 */
final class RecordCodec {

  /** How a record is read and made; asking the class anew costs more than all the rest. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Shape(Type[] types, Method[] accessors, Constructor<?> constructor) {

    static Shape of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      Method[] accessors = new Method[components.length];
      for (int i = 0; i < components.length; i++) {
        accessors[i] = components[i].getAccessor();
        accessors[i].setAccessible(true);
      }
      try {
        Constructor<?> constructor =
            type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return new Shape(
            Arrays.stream(components).map(RecordComponent::getGenericType).toArray(Type[]::new),
            accessors,
            constructor);
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("every record can be made of its parts: " + type, e);
      }
    }
  }

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private RecordCodec() {}

  static byte[] encode(Class<?> type, Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(type, value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static <T> T decode(Class<T> type, ByteBuffer in) {
    try {
      T value = type.cast(read(type, in));
      if (in.hasRemaining()) {
        throw new MalformedPayloadException(
            "%d bytes too many behind a %s".formatted(in.remaining(), type.getSimpleName()));
      }
      return value;
    } catch (BufferUnderflowException e) {
      throw new MalformedPayloadException("a %s is cut off".formatted(type.getSimpleName()), e);
    }
  }

  private static void write(Type type, Object value, DataOutputStream out) throws IOException {
    switch (value) {
      case Integer number -> out.writeInt(number);
      case Long number -> out.writeLong(number);
      case Double number -> out.writeDouble(number);
      case Boolean flag -> out.writeBoolean(flag);
      case Duration duration -> out.writeLong(duration.toNanos());
      case Enum<?> constant -> out.writeByte(constant.ordinal());
      case String text -> writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
      case byte[] bytes -> writeBytes(bytes, out);
      case int[] numbers -> {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES);
        bytes.asIntBuffer().put(numbers);
        writeArray(numbers.length, bytes, out);
      }
      case long[] numbers -> {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        bytes.asLongBuffer().put(numbers);
        writeArray(numbers.length, bytes, out);
      }
      case double[] numbers -> {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Double.BYTES);
        bytes.asDoubleBuffer().put(numbers);
        writeArray(numbers.length, bytes, out);
      }
      case List<?> list -> {
        out.writeInt(list.size());
        for (Object each : list) {
          write(element(type), each, out);
        }
      }
      case Record record -> writeRecord(type, record, out);
      default -> throw new IllegalArgumentException("no bytes for a " + value.getClass());
    }
  }

  /** All at once: a sum of models has as many numbers as a model, and is told each evaluation. */
  private static void writeArray(int count, ByteBuffer bytes, DataOutputStream out)
      throws IOException {
    out.writeInt(count);
    out.write(bytes.array());
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void writeRecord(Type type, Record record, DataOutputStream out)
      throws IOException {
    if (type instanceof Class<?> family && family.isSealed()) {
      out.writeByte(Arrays.asList(family.getPermittedSubclasses()).indexOf(record.getClass()));
    }
    Shape shape = SHAPES.get(record.getClass());
    for (int i = 0; i < shape.types().length; i++) {
      try {
        write(shape.types()[i], shape.accessors()[i].invoke(record), out);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot read " + shape.accessors()[i], e);
      }
    }
  }

  private static Object read(Type type, ByteBuffer in) {
    if (type == int.class) {
      return in.getInt();
    }
    if (type == long.class) {
      return in.getLong();
    }
    if (type == double.class) {
      return in.getDouble();
    }
    if (type == boolean.class) {
      return in.get() != 0;
    }
    if (type == Duration.class) {
      return Duration.ofNanos(in.getLong());
    }
    if (type == String.class) {
      return new String(bytes(in), StandardCharsets.UTF_8);
    }
    if (type == byte[].class) {
      return bytes(in);
    }
    if (type == int[].class) {
      int[] numbers = new int[count(in, Integer.BYTES)];
      in.asIntBuffer().get(numbers);
      in.position(in.position() + numbers.length * Integer.BYTES);
      return numbers;
    }
    if (type == long[].class) {
      long[] numbers = new long[count(in, Long.BYTES)];
      in.asLongBuffer().get(numbers);
      in.position(in.position() + numbers.length * Long.BYTES);
      return numbers;
    }
    if (type == double[].class) {
      double[] numbers = new double[count(in, Double.BYTES)];
      in.asDoubleBuffer().get(numbers);
      in.position(in.position() + numbers.length * Double.BYTES);
      return numbers;
    }
    if (type instanceof ParameterizedType) {
      int count = count(in, 1);
      List<Object> list = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        list.add(read(element(type), in));
      }
      return list;
    }
    return readClass((Class<?>) type, in);
  }

  private static Object readClass(Class<?> type, ByteBuffer in) {
    if (type.isEnum()) {
      return chosen(type.getEnumConstants(), in, type);
    }
    if (type.isSealed()) {
      return readClass((Class<?>) chosen(type.getPermittedSubclasses(), in, type), in);
    }
    Shape shape = SHAPES.get(type);
    Object[] values = new Object[shape.types().length];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(shape.types()[i], in);
    }
    try {
      return shape.constructor().newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new MalformedPayloadException(
          "no %s: %s".formatted(type.getSimpleName(), Arrays.toString(values)), e);
    }
  }

  private static Object chosen(Object[] of, ByteBuffer in, Class<?> type) {
    int number = in.get() & 0xff;
    if (number >= of.length) {
      throw new MalformedPayloadException(
          "unknown %s: number=%d, known=%d".formatted(type.getSimpleName(), number, of.length));
    }
    return of[number];
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[count(in, 1)];
    in.get(bytes);
    return bytes;
  }

  /** A count of things of at least so many bytes each, which must all be there. */
  private static int count(ByteBuffer in, int size) {
    int count = in.getInt();
    if (count < 0 || (long) count * size > in.remaining()) {
      throw new MalformedPayloadException(
          "more than there is: count=%d, bytes=%d".formatted(count, in.remaining()));
    }
    return count;
  }

  private static Type element(Type list) {
    return ((ParameterizedType) list).getActualTypeArguments()[0];
  }
}
