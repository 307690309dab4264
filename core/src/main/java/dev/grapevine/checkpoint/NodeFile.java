package dev.grapevine.checkpoint;

import dev.grapevine.state.State;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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

  private static final int CHUNK = 1 << 16;
  private static final int LONGEST_HEADER = 100_000_000;

  /** What a file was when it was written. */
  record Written(long bytes, String sha256) {}

  private NodeFile() {}

  static String name(int node) {
    return "node-" + node + SUFFIX;
  }

  /** How many bytes a state has, without names. */
  static long bytes(Map<String, State.Saved> state) {
    long bytes = 0;
    for (State.Saved saved : state.values()) {
      bytes +=
          switch (saved) {
            case State.Floats(float[] values) -> (long) Float.BYTES * values.length;
            case State.Value _ -> Long.BYTES;
            case State.Bytes(byte[] content) -> content.length;
          };
    }
    return bytes;
  }

  /** Writes the file whole, then gives it its name. */
  static Written write(Path folder, int node, Map<String, State.Saved> state) throws IOException {
    Path file = folder.resolve(name(node));
    Path partial = folder.resolve(name(node) + ".partial");
    byte[] header = header(state);
    MessageDigest digest = Sha256.digest();
    long bytes;
    // A stream and not a channel: an interrupt would close a channel.
    try (FileOutputStream out = new FileOutputStream(partial.toFile())) {
      Sink sink = new Sink(out, digest);
      sink.write(
          ByteBuffer.allocate(Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(0, header.length)
              .array());
      sink.write(header);
      for (State.Saved saved : state.values()) {
        switch (saved) {
          case State.Floats(float[] values) -> sink.write(values);
          case State.Bytes(byte[] content) when content.length > SHORT -> sink.write(content);
          case State.Bytes _, State.Value _ -> {
            // In the header.
          }
        }
      }
      bytes = sink.written;
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    return new Written(bytes, HexFormat.of().formatHex(digest.digest()));
  }

  private static byte[] header(Map<String, State.Saved> state) {
    ObjectNode json = JSON.createObjectNode();
    ObjectNode values = JSON.createObjectNode();
    ObjectNode bytes = JSON.createObjectNode();
    ObjectNode metadata = json.putObject(METADATA);
    long begin = 0;
    for (Map.Entry<String, State.Saved> entry : state.entrySet()) {
      switch (entry.getValue()) {
        case State.Floats(float[] floats) ->
            begin = tensor(json, entry.getKey(), "F32", floats.length, Float.BYTES, begin);
        case State.Value(long value) -> values.put(entry.getKey(), value);
        case State.Bytes(byte[] content) when content.length > SHORT ->
            begin = tensor(json, entry.getKey(), "U8", content.length, 1, begin);
        case State.Bytes(byte[] content) ->
            bytes.put(entry.getKey(), Base64.getEncoder().encodeToString(content));
      }
    }
    metadata.put(VALUES, values.toString());
    metadata.put(BYTES, bytes.toString());
    byte[] text = JSON.writeValueAsBytes(json);
    // Spaces up to a multiple of 8 keep the values aligned for readers that map the file.
    byte[] padded = Arrays.copyOf(text, (text.length + 7) / 8 * 8);
    Arrays.fill(padded, text.length, padded.length, (byte) ' ');
    return padded;
  }

  private static long tensor(
      ObjectNode json, String name, String type, int length, int size, long begin) {
    long end = begin + (long) length * size;
    ObjectNode tensor = json.putObject(name).put("dtype", type);
    tensor.putArray("shape").add(length);
    tensor.putArray("data_offsets").add(begin).add(end);
    return end;
  }

  /** Reads a file that is as it was written; anything else is an {@link UnusableCut}. */
  static Map<String, State.Saved> read(Path folder, int node, Written written) throws UnusableCut {
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
    if (!Sha256.of(content).equals(written.sha256())) {
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

  /** Writes and digests at once, through one buffer. */
  private static final class Sink {

    private final FileOutputStream out;
    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    private long written;

    Sink(FileOutputStream out, MessageDigest digest) {
      this.out = out;
      this.digest = digest;
    }

    void write(byte[] bytes) throws IOException {
      write(bytes, bytes.length);
    }

    void write(float[] values) throws IOException {
      for (int done = 0; done < values.length; ) {
        int count = Math.min(values.length - done, CHUNK / Float.BYTES);
        buffer.clear().asFloatBuffer().put(values, done, count);
        write(buffer.array(), count * Float.BYTES);
        done += count;
      }
    }

    private void write(byte[] bytes, int length) throws IOException {
      digest.update(bytes, 0, length);
      out.write(bytes, 0, length);
      written += length;
    }
  }
}
