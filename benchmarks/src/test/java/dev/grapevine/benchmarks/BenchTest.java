package dev.grapevine.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every benchmark runs to its end at a tiny size and prints one JSON object. */
class BenchTest {

  private static final String TINY_ENGINE = "engine --seconds 0.01 --model gn-lenet --launches 1";

  @ParameterizedTest
  @ValueSource(
      strings = {
        TINY_ENGINE,
        "rounds --quick",
        "sharing --quick",
        "data --quick",
        "protocols --quick",
        "results --quick",
        "peer --quick",
        "fidelity --quick",
        "faults --quick",
        "secure --quick",
        "workers --quick",
        "checkpoint --quick",
        "soak --quick"
      })
  void printsOneJsonObject(String command) {
    String[] arguments = ("bench " + command + " --json").split(" ");
    StringWriter out = new StringWriter();
    CommandLine grapevine = Grapevine.commandLine();
    grapevine.setOut(new PrintWriter(out));
    grapevine.setErr(new PrintWriter(new StringWriter()));

    assertThat(grapevine.execute(arguments)).isZero();

    JsonNode report = JsonMapper.shared().readTree(out.toString());
    assertThat(report.get("benchmark").asString()).isEqualTo(arguments[1]);
    assertThat(report.get("figures")).isNotEmpty();
    for (JsonNode figure : report.get("figures")) {
      assertThat(figure.get("name").asString()).isNotBlank();
      assertThat(figure.has("value")).isTrue();
      assertThat(figure.has("reached")).isTrue();
    }
  }

  @Test
  void allBenchmarksAreTried() throws Exception {
    ValueSource tried =
        BenchTest.class
            .getDeclaredMethod("printsOneJsonObject", String.class)
            .getAnnotation(ValueSource.class);

    assertThat(Stream.of(tried.strings()).map(command -> command.split(" ")[0]))
        .containsExactlyInAnyOrderElementsOf(
            ServiceLoader.load(Benchmark.class).stream()
                .map(benchmark -> new CommandLine(benchmark.get()).getCommandName())
                .toList());
  }
}
