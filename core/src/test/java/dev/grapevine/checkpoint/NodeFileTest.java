package dev.grapevine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.state.State;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a node, whatever its parts are called. */
final class NodeFileTest {

  @TempDir private Path folder;

  private record Copy(byte[] content, long crc32c) {}

  private static Copy copy(Map<String, State.Saved> state) {
    NodeFile file = new NodeFile(state);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment content = arena.allocate(file.size());
      long crc32c = file.copyTo(content);
      return new Copy(content.toArray(ValueLayout.JAVA_BYTE), crc32c);
    }
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    byte[] large = new byte[1000];
    large[999] = 7;
    Map<String, State.Saved> state = new LinkedHashMap<>();
    state.put("learner/model", new State.Floats(new float[] {1.5f, -0.0f, Float.NaN}));
    state.put("a \"name\" with \\ and \t and ü", new State.Value(Long.MIN_VALUE));
    state.put("node/\"links\"", new State.Value(42));
    state.put("short\n", new State.Bytes(new byte[] {1, -1}));
    state.put("long\u0001", new State.Bytes(large));
    state.put("empty", new State.Floats(new float[0]));
    float[] many = new float[10_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = 1.0f / (i + 1);
    }
    state.put("many", new State.Floats(many));
    Copy copy = copy(state);
    Files.write(folder.resolve(NodeFile.name(3)), copy.content());
    Written written = Written.of(ByteBuffer.wrap(copy.content()), copy.crc32c(), true);

    Map<String, State.Saved> read = NodeFile.read(folder, 3, written, true);

    assertThat(read.keySet()).containsExactlyInAnyOrderElementsOf(state.keySet());
    state.forEach((name, saved) -> {
      switch (saved) {
        case State.Floats(float[] floats) ->
            assertThat(((State.Floats) read.get(name)).values()).isEqualTo(floats);
        case State.Bytes(byte[] all) ->
            assertThat(((State.Bytes) read.get(name)).bytes()).isEqualTo(all);
        case State.Value(long value) ->
            assertThat(((State.Value) read.get(name)).value()).isEqualTo(value);
      }
    });
  }

  @Test
  void aFileIsTheSameHoweverLittleIsCopiedAtOnce() {
    byte[] odd = new byte[1001];
    float[] values = new float[10_000];
    Random random = new Random(1);
    random.nextBytes(odd);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    Map<String, State.Saved> state = new LinkedHashMap<>();
    state.put("odd", new State.Bytes(odd));
    state.put("values", new State.Floats(values));
    Copy whole = copy(state);
    for (int size : new int[] {9, 64, 4099, 1 << 16}) {
      ByteBuffer pieces = ByteBuffer.allocate(whole.content().length);
      try (Arena arena = Arena.ofConfined()) {
        long crc32c = new NodeFile(state).copyTo(arena.allocate(size), pieces::put);
        assertThat(crc32c).isEqualTo(whole.crc32c());
      }
      assertThat(pieces.array()).isEqualTo(whole.content());
    }
  }

  @Test
  void vectorsAreAligned() {
    byte[] content = copy(Map.of("x", new State.Floats(new float[] {1}))).content();
    assertThat(ByteBuffer.wrap(content).order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong() % 8)
        .isZero();
  }
}
