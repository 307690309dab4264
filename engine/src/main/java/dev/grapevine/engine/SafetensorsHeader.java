package dev.grapevine.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The checked header of a safetensors file. Every length is held against the file's size before
 * anything is allocated for it, and the tensors must tile the values without gap or overlap.
 *
 * @param file for messages
 * @param start position of the first value
 * @param tensors by name, in the order of their values
 */
record SafetensorsHeader(
    Path file, long start, Map<String, Entry> tensors, Map<String, String> metadata) {

  /** The reference implementation's limit. */
  private static final long MAX_BYTES = 100_000_000;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** One tensor's type, shape and place among the values, in bytes. */
  record Entry(String dtype, long[] shape, long begin, long end) {
    int[] intShape() {
      return Arrays.stream(shape).mapToInt(Math::toIntExact).toArray();
    }
  }

  static SafetensorsHeader read(Path file, FileChannel channel) throws IOException {
    long size = channel.size();
    if (size < Long.BYTES) {
      throw malformed(file, "shorter than its header length, bytes=" + size);
    }
    ByteBuffer length = Safetensors.littleEndian(Long.BYTES);
    Safetensors.readFully(channel, length, 0);
    long bytes = length.getLong(0);
    if (bytes < 2 || bytes > MAX_BYTES || bytes > size - Long.BYTES) {
      throw malformed(
          file,
          "header length impossible, headerBytes=%s, fileBytes=%d"
              .formatted(Long.toUnsignedString(bytes), size));
    }
    ByteBuffer text = ByteBuffer.allocate((int) bytes);
    Safetensors.readFully(channel, text, Long.BYTES);
    long start = Long.BYTES + bytes;
    return parse(file, text.array(), start, size - start);
  }

  private static SafetensorsHeader parse(Path file, byte[] text, long start, long valueBytes)
      throws SafetensorsException {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JacksonException e) {
      throw new SafetensorsException(
          "not a safetensors file: file=%s, header is no JSON: %s"
              .formatted(file, e.getOriginalMessage()),
          e);
    }
    if (!json.isObject()) {
      throw malformed(file, "header is no JSON object");
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    List<Map.Entry<String, Entry>> entries = new ArrayList<>();
    for (Map.Entry<String, JsonNode> property : json.properties()) {
      if (property.getKey().equals("__metadata__")) {
        for (Map.Entry<String, JsonNode> item : property.getValue().properties()) {
          metadata.put(item.getKey(), item.getValue().asString(""));
        }
      } else {
        entries.add(
            Map.entry(property.getKey(), entry(file, property.getKey(), property.getValue())));
      }
    }
    entries.sort(
        Comparator.comparingLong((Map.Entry<String, Entry> entry) -> entry.getValue().begin())
            .thenComparingLong(entry -> entry.getValue().end()));
    Map<String, Entry> tensors = new LinkedHashMap<>();
    long next = 0;
    for (Map.Entry<String, Entry> entry : entries) {
      if (entry.getValue().begin() != next) {
        throw malformed(
            file,
            "gap or overlap, tensor=%s, begin=%d, expected=%d"
                .formatted(entry.getKey(), entry.getValue().begin(), next));
      }
      next = entry.getValue().end();
      tensors.put(entry.getKey(), entry.getValue());
    }
    if (next != valueBytes) {
      throw malformed(
          file, "values cut off or too long, bytes=%d, expected=%d".formatted(valueBytes, next));
    }
    return new SafetensorsHeader(file, start, tensors, metadata);
  }

  private static Entry entry(Path file, String name, JsonNode json) throws SafetensorsException {
    JsonNode dtype = json.get("dtype");
    long[] shape = wholeNumbers(json.get("shape"));
    long[] offsets = wholeNumbers(json.get("data_offsets"));
    if (dtype == null
        || !dtype.isString()
        || shape == null
        || offsets == null
        || offsets.length != 2
        || offsets[0] > offsets[1]) {
      throw malformed(file, "tensor without proper dtype, shape and data_offsets, tensor=" + name);
    }
    Entry entry = new Entry(dtype.stringValue(), shape, offsets[0], offsets[1]);
    if (entry.dtype().equals("F32") && entry.end() - entry.begin() != bytes(file, name, shape)) {
      throw malformed(
          file,
          "place and shape disagree, tensor=%s, shape=%s, bytes=%d"
              .formatted(name, Arrays.toString(shape), entry.end() - entry.begin()));
    }
    return entry;
  }

  private static long bytes(Path file, String name, long[] shape) throws SafetensorsException {
    try {
      long bytes = Float.BYTES;
      for (long extent : shape) {
        bytes = Math.multiplyExact(bytes, extent);
      }
      return bytes;
    } catch (ArithmeticException e) {
      throw malformed(
          file, "shape too large, tensor=%s, shape=%s".formatted(name, Arrays.toString(shape)));
    }
  }

  private static long @Nullable [] wholeNumbers(@Nullable JsonNode json) {
    if (json == null || !json.isArray()) {
      return null;
    }
    long[] numbers = new long[json.size()];
    for (int i = 0; i < numbers.length; i++) {
      JsonNode number = json.get(i);
      if (!number.isIntegralNumber() || !number.canConvertToLong() || number.longValue() < 0) {
        return null;
      }
      numbers[i] = number.longValue();
    }
    return numbers;
  }

  /** Refuses a tensor of another type or shape than the model's. */
  void require(String name, int[] shape) throws SafetensorsException {
    Entry entry = entry(name);
    long[] wanted = Arrays.stream(shape).asLongStream().toArray();
    if (!entry.dtype().equals("F32") || !Arrays.equals(entry.shape(), wanted)) {
      throw new SafetensorsException(
          "tensor does not fit the model: file=%s, tensor=%s, dtype=%s, shape=%s, expected F32 %s"
              .formatted(
                  file,
                  name,
                  entry.dtype(),
                  Arrays.toString(entry.shape()),
                  Arrays.toString(shape)));
    }
  }

  /** Position of the tensor's first value in the file. */
  long position(String name) throws SafetensorsException {
    return start + entry(name).begin();
  }

  private Entry entry(String name) throws SafetensorsException {
    Entry entry = tensors.get(name);
    if (entry == null) {
      throw new SafetensorsException("tensor missing: file=%s, tensor=%s".formatted(file, name));
    }
    return entry;
  }

  private static SafetensorsException malformed(Path file, String why) {
    return new SafetensorsException("not a safetensors file: file=%s, %s".formatted(file, why));
  }
}
