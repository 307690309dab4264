package dev.grapevine.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What PyTorch computed: named tensors of a file in the test resources' torch folder. */
public final class Fixture {

  private final Map<String, float[]> tensors = new LinkedHashMap<>();

  private Fixture() {}

  public static Path path(String file) {
    try {
      return Path.of(
          Objects.requireNonNull(Fixture.class.getResource("/dev/grapevine/engine/torch/" + file))
              .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Fixture read(String file) {
    try {
      Fixture fixture = new Fixture();
      List<ParameterBlock> blocks = Safetensors.blocks(path(file));
      float[] values = new float[blocks.stream().mapToInt(ParameterBlock::size).sum()];
      Safetensors.read(path(file), blocks, values);
      for (ParameterBlock block : blocks) {
        fixture.tensors.put(
            block.name(),
            Arrays.copyOfRange(values, block.offset(), block.offset() + block.size()));
      }
      return fixture;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public List<String> names() {
    return List.copyOf(tensors.keySet());
  }

  public boolean has(String name) {
    return tensors.containsKey(name);
  }

  public float[] get(String name) {
    return Objects.requireNonNull(tensors.get(name), () -> "no tensor in the fixture: " + name);
  }

  /** Largest difference, relative to the largest expected magnitude. */
  public static double error(float[] actual, float[] expected) {
    if (actual.length != expected.length) {
      throw new AssertionError("length " + actual.length + ", expected " + expected.length);
    }
    double largest = 0;
    double difference = 0;
    for (int i = 0; i < expected.length; i++) {
      if (!Float.isFinite(actual[i])) {
        return Double.POSITIVE_INFINITY;
      }
      largest = Math.max(largest, Math.abs(expected[i]));
      difference = Math.max(difference, Math.abs((double) actual[i] - expected[i]));
    }
    return difference == 0 ? 0 : difference / largest;
  }

  /** Length of the difference, relative to that of the expected vector. */
  public static double distance(float[] actual, float[] expected) {
    double squares = 0;
    double difference = 0;
    for (int i = 0; i < expected.length; i++) {
      squares += (double) expected[i] * expected[i];
      difference += ((double) actual[i] - expected[i]) * ((double) actual[i] - expected[i]);
    }
    return Math.sqrt(difference / squares);
  }
}
