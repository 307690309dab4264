package dev.grapevine.checkpoint;

import dev.grapevine.state.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one node remembered, in the safetensors format, which Python opens with {@code
 * safetensors.torch}: vectors as float32, long byte strings as uint8, and numbers and short byte
 * strings as JSON in the header's metadata.
 */
final class NodeFile {

  static final String SUFFIX = ".safetensors";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String METADATA = "__metadata__";
  private static final String VALUES = "grapevine.values";
  private static final String BYTES = "grapevine.bytes";

  /** Byte strings up to this length go into the header, where they cost a third more. */
  private static final int SHORT = 256;

  /** Bytes that are copied and summed up while they are in the nearest cache. */
  private static final int PIECE = 1 << 14;

  private static final int LONGEST_HEADER = 100_000_000;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static String name(int node) {
    return "node-" + node + SUFFIX;
  }

  private final byte[] header;
  private final Map<String, State.Saved> state;

  /** The file of a state, whose vectors are copied only {@linkplain #copyTo later}. */
  NodeFile(Map<String, State.Saved> state) {
    this.header = header(state);
    this.state = state;
  }

  /** How long the file is. */
  long size() {
    long size = Long.BYTES + header.length;
    for (State.Saved saved : state.values()) {
      size +=
          switch (saved) {
            case State.Floats(float[] values) -> (long) Float.BYTES * values.length;
            case State.Bytes(byte[] content) when content.length > SHORT -> content.length;
            case State.Bytes _, State.Value _ -> 0;
          };
    }
    return size;
  }

  /** Takes a file piece by piece. */
  @FunctionalInterface
  interface Sink<E extends Exception> {
    void take(ByteBuffer piece) throws E;
  }

  /** Copies the whole file into memory, and tells its checksum. */
  long copyTo(MemorySegment target) {
    return copyTo(target, all -> {});
  }

  /**
   * Copies the file into memory, and hands it over whenever that is full, and at the end.
   *
   * @param buffer as large as the file, or smaller
   * @return the file's checksum, CRC32C, which is cheapest on what has just been copied
   */
  <E extends Exception> long copyTo(MemorySegment buffer, Sink<E> sink) throws E {
    Copy<E> copy = new Copy<>(buffer, sink);
    byte[] length = new byte[Long.BYTES];
    MemorySegment.ofArray(length).set(LONG, 0, header.length);
    copy.add(length, length.length, ValueLayout.JAVA_BYTE);
    copy.add(header, header.length, ValueLayout.JAVA_BYTE);
    for (State.Saved saved : state.values()) {
      switch (saved) {
        case State.Floats(float[] values) -> copy.add(values, values.length, FLOAT);
        case State.Bytes(byte[] content) when content.length > SHORT ->
            copy.add(content, content.length, ValueLayout.JAVA_BYTE);
        case State.Bytes _, State.Value _ -> {
          // In the header.
        }
      }
    }
    return copy.end();
  }

  private static final class Copy<E extends Exception> {
    private final MemorySegment buffer;
    private final ByteBuffer copied;
    private final Sink<E> sink;
    private final CRC32C sum = new CRC32C();
    private int at;

    Copy(MemorySegment buffer, Sink<E> sink) {
      this.buffer = buffer;
      this.copied = buffer.asByteBuffer();
      this.sink = sink;
    }

    void add(Object array, int length, ValueLayout layout) throws E {
      int size = (int) layout.byteSize();
      for (int from = 0; from < length; ) {
        if (copied.capacity() - at < size) {
          handOver();
        }
        int count = Math.min(Math.min(PIECE, copied.capacity() - at) / size, length - from);
        MemorySegment.copy(array, from, buffer, layout, at, count);
        from += count;
        at += size * count;
        sum.update(copied.limit(at));
      }
    }

    private void handOver() throws E {
      sink.take(copied.rewind());
      copied.clear();
      at = 0;
    }

    long end() throws E {
      handOver();
      return sum.getValue();
    }
  }

  /** By hand: every node writes one at every cut, and a generator costs more than all it writes. */
  private static byte[] header(Map<String, State.Saved> state) {
    StringBuilder tensors = new StringBuilder(1024);
    StringBuilder values = new StringBuilder(1024);
    StringBuilder bytes = new StringBuilder(1024);
    long begin = 0;
    for (Map.Entry<String, State.Saved> entry : state.entrySet()) {
      String name = entry.getKey();
      switch (entry.getValue()) {
        case State.Floats(float[] floats) ->
            begin = tensor(tensors, name, "F32", floats.length, Float.BYTES, begin);
        case State.Value(long value) -> property(values, name).append(value);
        case State.Bytes(byte[] content) when content.length > SHORT ->
            begin = tensor(tensors, name, "U8", content.length, 1, begin);
        case State.Bytes(byte[] content) ->
            quote(property(bytes, name), Base64.getEncoder().encodeToString(content));
      }
    }
    StringBuilder metadata = new StringBuilder(2048);
    quote(property(metadata, VALUES), "{" + values + "}");
    quote(property(metadata, BYTES), "{" + bytes + "}");
    property(tensors, METADATA).append('{').append(metadata).append('}');
    byte[] text = ("{" + tensors + "}").getBytes(StandardCharsets.UTF_8);
    // Spaces up to a multiple of 8 keep the values aligned for readers that map the file.
    byte[] header = Arrays.copyOf(text, Math.ceilDiv(text.length, Long.BYTES) * Long.BYTES);
    Arrays.fill(header, text.length, header.length, (byte) ' ');
    return header;
  }

  private static long tensor(
      StringBuilder json, String name, String type, int length, int size, long begin) {
    long end = begin + (long) length * size;
    property(json, name)
        .append("{\"dtype\":\"")
        .append(type)
        .append("\",\"shape\":[")
        .append(length)
        .append("],\"data_offsets\":[")
        .append(begin)
        .append(',')
        .append(end)
        .append("]}");
    return end;
  }

  private static StringBuilder property(StringBuilder json, String name) {
    if (!json.isEmpty()) {
      json.append(',');
    }
    return quote(json, name).append(':');
  }

  private static StringBuilder quote(StringBuilder json, String text) {
    json.append('"');
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '"' || letter == '\\' || letter < ' ') {
        json.append(text, from, i);
        from = i + 1;
        if (letter < ' ') {
          json.append("\\u00").append(HexFormat.of().toHexDigits((byte) letter));
        } else {
          json.append('\\').append(letter);
        }
      }
    }
    return json.append(text, from, text.length()).append('"');
  }

  /**
   * Reads a file that is as it was written; anything else is an {@link UnusableCut}.
   *
   * @param byHash whether its hash is computed too, where there is one
   */
  static Map<String, State.Saved> read(Path folder, int node, Written written, boolean byHash)
      throws UnusableCut {
    Path file = folder.resolve(name(node));
    byte[] content;
    try {
      long size = Files.size(file);
      if (size != written.bytes()) {
        throw new UnusableCut(
            "%s has %d bytes instead of %d".formatted(file.getFileName(), size, written.bytes()));
      }
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UnusableCut("%s is missing or cannot be read".formatted(file.getFileName()));
    }
    if (!written.fits(content, byHash)) {
      throw new UnusableCut("%s has been changed or damaged".formatted(file.getFileName()));
    }
    try {
      return parse(content);
    } catch (JacksonException | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new UnusableCut("%s makes no sense: %s".formatted(file.getFileName(), e.getMessage()));
    }
  }

  private static Map<String, State.Saved> parse(byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    long headerBytes = in.getLong(0);
    if (headerBytes < 0 || headerBytes > Math.min(LONGEST_HEADER, content.length - Long.BYTES)) {
      throw new IllegalArgumentException("impossible header length: " + headerBytes);
    }
    int start = Long.BYTES + (int) headerBytes;
    JsonNode header =
        JSON.readTree(new String(content, Long.BYTES, (int) headerBytes, StandardCharsets.UTF_8));
    Map<String, State.Saved> state = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> tensor : header.properties()) {
      if (!tensor.getKey().equals(METADATA)) {
        JsonNode offsets = tensor.getValue().path("data_offsets");
        int begin = start + offsets.path(0).asInt();
        int length = offsets.path(1).asInt() - offsets.path(0).asInt();
        if (tensor.getValue().path("dtype").asString("").equals("F32")) {
          float[] values = new float[length / Float.BYTES];
          in.slice(begin, length).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
          state.put(tensor.getKey(), new State.Floats(values));
        } else {
          state.put(
              tensor.getKey(), new State.Bytes(Arrays.copyOfRange(content, begin, begin + length)));
        }
      }
    }
    JsonNode metadata = header.path(METADATA);
    JSON.readTree(metadata.path(VALUES).asString("{}"))
        .properties()
        .forEach(value -> state.put(value.getKey(), new State.Value(value.getValue().asLong())));
    JSON.readTree(metadata.path(BYTES).asString("{}"))
        .properties()
        .forEach(value ->
            state.put(
                value.getKey(),
                new State.Bytes(Base64.getDecoder().decode(value.getValue().asString("")))));
    return state;
  }
}
