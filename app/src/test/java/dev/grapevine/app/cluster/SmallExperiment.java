package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Six nodes on a ring that learn digits, for as long as is wanted. */
final class SmallExperiment {

  /** More rounds than anybody waits for. */
  static final int ENDLESS = 1_000_000;

  private SmallExperiment() {}

  static String write(Path folder, int rounds, String more) throws IOException {
    String text =
        """
        name = "small"
        rounds = %d
        [nodes]
        count = 6
        [topology]
        kind = "ring"
        [data]
        set = "digits"
        [model]
        kind = "logistic"
        [training]
        steps = 1
        batch-size = 4
        [evaluation]
        every = 20
        samples = 10
        %s
        """
            .formatted(rounds, more);
    return Files.writeString(folder.resolve("small.toml"), text).toString();
  }

  static void assertSameModels(Path one, Path other) {
    for (int node = 0; node < 6; node++) {
      String name = "models/node-%d.safetensors".formatted(node);
      assertThat(one.resolve(name)).hasSameBinaryContentAs(other.resolve(name));
    }
  }
}
