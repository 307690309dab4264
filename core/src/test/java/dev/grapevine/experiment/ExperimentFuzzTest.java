package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.UserException;
import dev.grapevine.settings.Registry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is written, it is an experiment or the user's mistake, never a crash. */
class ExperimentFuzzTest {

  private static final String ALPHABET = "abkz019-_.=\"'[]{}#,\n\t \\+eé😀\u0000";
  private static final String[] VALUES = {
    "-1",
    "0",
    "1e308",
    "nan",
    "inf",
    "9223372036854775807",
    "\"\"",
    "[]",
    "{}",
    "true",
    "1979-05-27",
    "\"20 ms\"",
    "[[1]]",
    "{kind = \"zfp\"}",
    "\"all\"",
    "0x7f",
    "\"../..\"",
    "-0.0"
  };

  private final Registry registry = Registry.load();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mutatedFilesNeverCrash(long seed) throws Exception {
    Random random = new Random(seed);
    String valid = Files.readString(Examples.file("cifar-5-regular.toml"));
    String resolved = Experiment.parse(valid, Path.of(""), registry).toToml();
    int refused = 0;
    for (int i = 0; i < 400; i++) {
      String text = i % 2 == 0 ? valid : resolved;
      int mutations = 1 + random.nextInt(3);
      for (int m = 0; m < mutations && !text.isEmpty(); m++) {
        text = mutated(text, random);
      }
      try {
        Experiment experiment = Experiment.parse(text, Path.of(""), registry);
        assertThat(Experiment.parse(experiment.toToml(), Path.of(""), registry).toToml())
            .as("seed %d, text:%n%s", seed, text)
            .isEqualTo(experiment.toToml());
      } catch (UserException expected) {
        assertThat(expected).hasMessageNotContaining("null").hasMessageContaining("experiment");
        refused++;
      } catch (RuntimeException | StackOverflowError crash) {
        throw new AssertionError("seed %d, text:%n%s".formatted(seed, text), crash);
      }
    }
    assertThat(refused).isPositive();
  }

  private static String mutated(String text, Random random) {
    int at = random.nextInt(text.length());
    int symbol = random.nextInt(ALPHABET.codePointCount(0, ALPHABET.length()));
    String inserted =
        Character.toString(ALPHABET.codePointAt(ALPHABET.offsetByCodePoints(0, symbol)));
    String[] lines = text.split("\n", -1);
    int line = random.nextInt(lines.length);
    return switch (random.nextInt(6)) {
      case 0 -> text.substring(0, at) + text.substring(at + 1);
      case 1 -> text.substring(0, at) + inserted + text.substring(at);
      case 2 -> text.substring(0, at) + inserted + text.substring(at + 1);
      case 3 -> {
        String other = lines[random.nextInt(lines.length)];
        lines[line] = other;
        yield String.join("\n", lines);
      }
      case 4 -> {
        lines[line] =
            lines[line].replaceFirst(
                "=.*",
                java.util.regex.Matcher.quoteReplacement(
                    "= " + VALUES[random.nextInt(VALUES.length)]));
        yield String.join("\n", lines);
      }
      default -> text.substring(0, at);
    };
  }

  @Test
  void deepNestingIsRefusedOrRead() {
    for (String text :
        new String[] {
          "name = " + "[".repeat(3000) + "]".repeat(3000),
          "name = " + "{a=".repeat(3000) + "1" + "}".repeat(3000),
          "a" + ".a".repeat(3000) + " = 1"
        }) {
      try {
        Experiment.parse(text, Path.of(""), registry);
      } catch (UserException expected) {
        assertThat(expected).hasMessageContaining("experiment");
      }
    }
  }
}
