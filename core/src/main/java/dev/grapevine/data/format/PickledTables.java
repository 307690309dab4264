package dev.grapevine.data.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads tables of texts and whole numbers that Python has pickled, and nothing else: a pickle is a
 * program, and of its instructions only those are known here that put such values together. So a
 * file can make no object and call nothing. Protocols 2 to 5.
 */
public final class PickledTables {

  private static final Object MARK = new Object();

  private final ByteBuffer bytes;
  private final List<Object> stack = new ArrayList<>();
  private final Map<Integer, Object> memory = new HashMap<>();

  private PickledTables(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * What was pickled: a {@link Map}, a {@link String} or a {@link Long}.
   *
   * @throws IllegalArgumentException when the file is cut off or holds anything else
   */
  public static Object read(byte[] pickle) {
    try {
      return new PickledTables(pickle).run();
    } catch (java.nio.BufferUnderflowException | IndexOutOfBoundsException cutOff) {
      throw new IllegalArgumentException("it is cut off or damaged", cutOff);
    }
  }

  private Object run() {
    while (true) {
      int instruction = bytes.get() & 0xff;
      switch (instruction) {
        case 0x80 -> bytes.get(); // the protocol
        case 0x95 -> bytes.getLong(); // the length of a frame
        case '}' -> stack.add(new LinkedHashMap<Object, Object>());
        case '(' -> stack.add(MARK);
        case 'K' -> stack.add((long) (bytes.get() & 0xff));
        case 'M' -> stack.add((long) (bytes.getShort() & 0xffff));
        case 'J' -> stack.add((long) bytes.getInt());
        case 'X' -> stack.add(text(bytes.getInt()));
        case 0x8c -> stack.add(text(bytes.get() & 0xff));
        case 'q' -> memory.put(bytes.get() & 0xff, stack.getLast());
        case 'r' -> memory.put(bytes.getInt(), stack.getLast());
        case 0x94 -> memory.put(memory.size(), stack.getLast());
        case 'h' -> stack.add(remembered(bytes.get() & 0xff));
        case 'j' -> stack.add(remembered(bytes.getInt()));
        case 's' -> {
          Object value = stack.removeLast();
          Object key = stack.removeLast();
          table(stack.getLast()).put(key(key), value);
        }
        case 'u' -> putAll();
        case '.' -> {
          return stack.getLast();
        }
        default ->
            throw new IllegalArgumentException(
                "it holds more than tables of texts and numbers: instruction 0x%02x at byte %d"
                    .formatted(instruction, bytes.position() - 1));
      }
    }
  }

  private void putAll() {
    int mark = stack.lastIndexOf(MARK);
    if (mark < 1 || (stack.size() - mark) % 2 == 0) {
      throw new IllegalArgumentException("it is damaged: a table without keys");
    }
    Map<Object, Object> table = table(stack.get(mark - 1));
    for (int i = mark + 1; i < stack.size(); i += 2) {
      table.put(key(stack.get(i)), stack.get(i + 1));
    }
    stack.subList(mark, stack.size()).clear();
  }

  /** A table as the key of another could hold itself. */
  private static Object key(Object key) {
    if (key instanceof String || key instanceof Long) {
      return key;
    }
    throw new IllegalArgumentException("it holds keys that are neither texts nor numbers");
  }

  @SuppressWarnings("unchecked") // Only tables made above are maps.
  private static Map<Object, Object> table(Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<Object, Object>) map;
    }
    throw new IllegalArgumentException("it is damaged: values without a table");
  }

  private Object remembered(int number) {
    Object value = memory.get(number);
    if (value == null) {
      throw new IllegalArgumentException("it is damaged: nothing was remembered as " + number);
    }
    return value;
  }

  private String text(int length) {
    if (length < 0 || length > bytes.remaining()) {
      throw new IllegalArgumentException("it is cut off in a text");
    }
    byte[] text = new byte[length];
    bytes.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
