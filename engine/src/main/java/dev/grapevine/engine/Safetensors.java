package dev.grapevine.engine;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parameters in the safetensors format, which Python opens with {@code safetensors.torch}: eight
 * bytes little-endian header length, a JSON header with name, type, shape and place of every
 * tensor, then the values. Only float32 tensors are written and read.
 *
 * <p>Writing is atomic: a reader sees the old file or the whole new one.
 */
public final class Safetensors {

  private static final int CHUNK = 1 << 16;
  private static final JsonMapper JSON = JsonMapper.shared();

  private Safetensors() {}

  /**
   * Writes the blocks' values, in the order of the list.
   *
   * @param metadata free text that goes with the file, such as the experiment's name
   */
  public static void write(
      Path file, List<ParameterBlock> blocks, float[] values, Map<String, String> metadata)
      throws IOException {
    byte[] header = header(blocks, values, metadata);
    // Not Files.createTempFile: the model should get the folder's usual permissions.
    Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try (FileChannel channel =
          FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer start = littleEndian(Long.BYTES + header.length);
        writeFully(channel, start.putLong(header.length).put(header).flip());
        ByteBuffer buffer = littleEndian(CHUNK);
        for (ParameterBlock block : blocks) {
          writeValues(channel, buffer, values, block.offset(), block.size());
        }
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Writes the blocks' values without metadata. */
  public static void write(Path file, List<ParameterBlock> blocks, float[] values)
      throws IOException {
    write(file, blocks, values, Map.of());
  }

  /**
   * Reads every block's values to its place. The file must hold exactly the blocks' names and
   * shapes; PyTorch's {@code num_batches_tracked} counters may come on top.
   */
  public static void read(Path file, List<ParameterBlock> blocks, float[] values)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      SafetensorsHeader header = SafetensorsHeader.read(file, channel);
      checkNames(file, header.tensors().keySet(), blocks);
      // All checks come before the first value: a refused file leaves the vector as it was.
      for (ParameterBlock block : blocks) {
        header.require(block.name(), block.shape());
      }
      ByteBuffer buffer = littleEndian(CHUNK);
      for (ParameterBlock block : blocks) {
        long position = header.position(block.name());
        readValues(channel, position, buffer, values, block.offset(), block.size());
      }
    }
  }

  /** Writes a model's parameters and, where it has a vector of them, its running statistics. */
  public static void write(
      Path file, Model model, float[] parameters, float[] statistics, Map<String, String> metadata)
      throws IOException {
    model.requireLength("parameters", parameters, model.parameterCount());
    model.requireLength("statistics", statistics, model.statisticsCount());
    float[] all = Arrays.copyOf(parameters, parameters.length + statistics.length);
    System.arraycopy(statistics, 0, all, parameters.length, statistics.length);
    write(file, allBlocks(model), all, metadata);
  }

  /** Reads what {@link #write(Path, Model, float[], float[], Map)} wrote. */
  public static void read(Path file, Model model, float[] parameters, float[] statistics)
      throws IOException {
    model.requireLength("parameters", parameters, model.parameterCount());
    model.requireLength("statistics", statistics, model.statisticsCount());
    float[] all = new float[parameters.length + statistics.length];
    read(file, allBlocks(model), all);
    System.arraycopy(all, 0, parameters, 0, parameters.length);
    System.arraycopy(all, parameters.length, statistics, 0, statistics.length);
  }

  private static List<ParameterBlock> allBlocks(Model model) {
    List<ParameterBlock> blocks = new ArrayList<>(model.parameters());
    if (model.statisticsCount() > 0) {
      for (ParameterBlock block : model.statistics()) {
        int offset = model.parameterCount() + block.offset();
        blocks.add(new ParameterBlock(block.name(), block.shape(), offset));
      }
    }
    return blocks;
  }

  /** Names and shapes of a file's tensors, in the order of their values. */
  public static List<ParameterBlock> blocks(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      List<ParameterBlock> blocks = new ArrayList<>();
      int offset = 0;
      for (var entry : SafetensorsHeader.read(file, channel).tensors().entrySet()) {
        ParameterBlock block =
            new ParameterBlock(entry.getKey(), entry.getValue().intShape(), offset);
        offset = Math.addExact(offset, block.size());
        blocks.add(block);
      }
      return blocks;
    }
  }

  /** The free text that was written with the file. */
  public static Map<String, String> metadata(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return SafetensorsHeader.read(file, channel).metadata();
    }
  }

  private static byte[] header(
      List<ParameterBlock> blocks, float[] values, Map<String, String> metadata) {
    ObjectNode json = JSON.createObjectNode();
    if (!metadata.isEmpty()) {
      ObjectNode texts = json.putObject("__metadata__");
      metadata.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(entry -> texts.put(entry.getKey(), entry.getValue()));
    }
    long begin = 0;
    for (ParameterBlock block : blocks) {
      if (block.offset() < 0 || block.offset() + (long) block.size() > values.length) {
        throw new IllegalArgumentException(
            "block outside the vector: name=%s, offset=%d, size=%d, vector=%d"
                .formatted(block.name(), block.offset(), block.size(), values.length));
      }
      if (json.has(block.name()) || block.name().equals("__metadata__")) {
        throw new IllegalArgumentException("block name not usable: name=" + block.name());
      }
      long end = begin + (long) Float.BYTES * block.size();
      ObjectNode tensor = json.putObject(block.name()).put("dtype", "F32");
      var shape = tensor.putArray("shape");
      Arrays.stream(block.shape()).forEach(shape::add);
      tensor.putArray("data_offsets").add(begin).add(end);
      begin = end;
    }
    byte[] text = JSON.writeValueAsBytes(json);
    // Spaces up to a multiple of 8 keep the values aligned for readers that map the file.
    byte[] padded = Arrays.copyOf(text, (text.length + 7) / 8 * 8);
    Arrays.fill(padded, text.length, padded.length, (byte) ' ');
    return padded;
  }

  private static void checkNames(Path file, Set<String> held, List<ParameterBlock> blocks)
      throws SafetensorsException {
    Set<String> missing = new TreeSet<>();
    Set<String> foreign = new TreeSet<>(held);
    foreign.removeIf(name -> name.endsWith("num_batches_tracked"));
    for (ParameterBlock block : blocks) {
      foreign.remove(block.name());
      if (!held.contains(block.name())) {
        missing.add(block.name());
      }
    }
    if (!missing.isEmpty() || !foreign.isEmpty()) {
      throw new SafetensorsException(
          "file does not fit the model: file=%s, missing=%s, unknown=%s; take the model it was saved from"
              .formatted(file, missing, foreign));
    }
  }

  private static void writeValues(
      FileChannel channel, ByteBuffer buffer, float[] values, int offset, int size)
      throws IOException {
    for (int done = 0; done < size; ) {
      int count = Math.min(size - done, CHUNK / Float.BYTES);
      buffer.clear().asFloatBuffer().put(values, offset + done, count);
      writeFully(channel, buffer.limit(count * Float.BYTES));
      done += count;
    }
  }

  private static void readValues(
      FileChannel channel, long position, ByteBuffer buffer, float[] values, int offset, int size)
      throws IOException {
    for (int done = 0; done < size; ) {
      int count = Math.min(size - done, CHUNK / Float.BYTES);
      buffer.clear().limit(count * Float.BYTES);
      readFully(channel, buffer, position + (long) done * Float.BYTES);
      buffer.flip().asFloatBuffer().get(values, offset + done, count);
      done += count;
    }
  }

  static void readFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
    long next = position;
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer, next);
      if (read < 0) {
        throw new EOFException("file ended while it was read: position=" + next);
      }
      next += read;
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  static ByteBuffer littleEndian(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }
}
