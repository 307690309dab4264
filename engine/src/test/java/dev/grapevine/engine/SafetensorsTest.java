package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsTest {

  private static final List<ParameterBlock> BLOCKS =
      List.of(
          new ParameterBlock("conv.weight", new int[] {4, 3, 2, 2}, 0),
          new ParameterBlock("conv.bias", new int[] {4}, 48),
          new ParameterBlock("scale", new int[] {}, 52),
          new ParameterBlock("empty", new int[] {0, 5}, 53));

  private static final Map<String, String> NOTE = Map.of("note", "grüße");

  @TempDir Path folder;

  private static float[] expected() {
    float[] values = new float[53];
    for (int i = 0; i < BLOCKS.size(); i++) {
      ParameterBlock block = BLOCKS.get(i);
      System.arraycopy(
          Formula.signed(1 + i, 0, block.size()), 0, values, block.offset(), block.size());
    }
    return values;
  }

  @Test
  void readsWhatPythonWrote() throws IOException {
    Path file = Fixture.path("from-python.safetensors");
    float[] values = new float[53];
    Safetensors.read(file, BLOCKS, values);
    assertThat(values).isEqualTo(expected());
    assertThat(Safetensors.metadata(file)).isEqualTo(NOTE);
    assertThat(Safetensors.blocks(file))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(BLOCKS);
  }

  /** interchange.py reads from-java.safetensors; here we show that we still write those bytes. */
  @Test
  void writesWhatPythonReads() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, BLOCKS, expected(), NOTE);
    assertThat(file).hasSameBinaryContentAs(Fixture.path("from-java.safetensors"));
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void replacesAFileAndReadsItBackInAnyOrder() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, BLOCKS, new float[53]);
    Safetensors.write(file, BLOCKS.reversed(), expected());
    float[] values = new float[53];
    Safetensors.read(file, BLOCKS, values);
    assertThat(values).isEqualTo(expected());
  }

  @Test
  void readsVectorsLongerThanOneChunk() throws IOException {
    Path file = folder.resolve("model.safetensors");
    float[] vector = Formula.signed(3, 0, 100_003);
    List<ParameterBlock> block = List.of(new ParameterBlock("w", new int[] {100_000}, 3));
    Safetensors.write(file, block, vector);
    float[] read = vector.clone();
    java.util.Arrays.fill(read, 3, read.length, 0);
    Safetensors.read(file, block, read);
    assertThat(read).isEqualTo(vector);
  }

  @Test
  void keepsAModelsRunningStatistics() throws IOException {
    Path file = folder.resolve("model.safetensors");
    for (boolean shared : new boolean[] {false, true}) {
      Model model = Models.named("resnet20", ModelOptions.DEFAULTS.withNorm(Norm.BATCH, shared));
      float[] parameters = Formula.signed(1, 0, model.parameterCount());
      float[] statistics = Formula.signed(2, 0, model.statisticsCount());
      Safetensors.write(file, model, parameters, statistics, Map.of());
      float[] read = new float[parameters.length];
      float[] readStatistics = new float[statistics.length];
      Safetensors.read(file, model, read, readStatistics);
      assertThat(read).isEqualTo(parameters);
      assertThat(readStatistics).isEqualTo(statistics);
      assertThat(Safetensors.blocks(file))
          .extracting(ParameterBlock::name)
          .contains("bn1.running_mean", "layer3.2.bn2.running_var", "fc.weight");
    }
  }

  @Test
  void namesWhatDoesNotFitAndLeavesTheVectorAlone() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, BLOCKS, expected());
    List<ParameterBlock> others = List.of(new ParameterBlock("fc.weight", new int[] {2, 2}, 0));
    float[] values = new float[4];
    assertThatThrownBy(() -> Safetensors.read(file, others, values))
        .isInstanceOf(SafetensorsException.class)
        .hasMessageContaining("missing=[fc.weight]")
        .hasMessageContaining("unknown=[conv.bias, conv.weight, empty, scale]");
    List<ParameterBlock> reshaped = new java.util.ArrayList<>(BLOCKS);
    reshaped.set(1, new ParameterBlock("conv.bias", new int[] {2, 2}, 48));
    float[] untouched = new float[53];
    assertThatThrownBy(() -> Safetensors.read(file, reshaped, untouched))
        .hasMessageContaining("tensor=conv.bias, dtype=F32, shape=[4], expected F32 [2, 2]");
    assertThat(untouched).containsOnly(0);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{]                                                              | header is no JSON:",
        "[1,2]                                                           | no JSON object",
        "{\"a\":{}}                                                      | tensor without proper",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}} | tensor without proper",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}} | tensor without proper",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}} | tensor without proper",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}} | place and shape disagree",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,4]}} | shape too large",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}} | gap or overlap",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} | values cut off",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"a\":{}} | Duplicate",
        "{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}} | dtype=F16",
      })
  void refusesMalformedHeaders(String header, String message) throws IOException {
    Path file = folder.resolve("bad.safetensors");
    byte[] text = header.strip().getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(8 + text.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    Files.write(file, bytes.putLong(text.length).put(text).array());
    List<ParameterBlock> one = List.of(new ParameterBlock("a", new int[] {1}, 0));
    assertThatThrownBy(() -> Safetensors.read(file, one, new float[1]))
        .isInstanceOf(SafetensorsException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("bad.safetensors");
  }

  @Test
  void refusesImpossibleLengthsBeforeAllocating() throws IOException {
    Path file = folder.resolve("bad.safetensors");
    for (long length : new long[] {-1, 0, 1, 9, 50_000_000, Long.MAX_VALUE}) {
      ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      Files.write(file, bytes.putLong(length).array());
      assertThatThrownBy(() -> Safetensors.blocks(file))
          .isInstanceOf(SafetensorsException.class)
          .hasMessageContaining("header length impossible");
    }
    Files.write(file, new byte[3]);
    assertThatThrownBy(() -> Safetensors.blocks(file)).hasMessageContaining("bytes=3");
  }
}
