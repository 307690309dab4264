package dev.grapevine.app.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooCommandTest {

  private static final String SMALL =
      """
      name = "small"
      seed = 7
      rounds = 4
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "fashion-mnist-mini"
      [model]
      kind = "logistic"
      [training]
      rate = 0.05
      [evaluation]
      every = 1
      samples = 50
      [runtime]
      kind = "simulated"
      [sweep]
      mode = "rows"
      [[sweep.rows]]
      name = "plain"
      group = "in step"
      [[sweep.rows]]
      name = "slow"
      group = "in step"
      training.rate = 0.0001
      [[sweep.rows]]
      name = "tenth"
      group = "sharing"
      sharing = {kind = "subsampling", alpha = 0.1}
      [[sweep.rows]]
      name = "pushed"
      group = "in step"
      protocol.kind = "push-sum"
      [[sweep.rows]]
      name = "impossible"
      protocol.kind = "push-sum"
      sharing.kind = "topk"
      """;

  @TempDir Path folder;

  private Path file() throws IOException {
    return Files.writeString(folder.resolve("small.toml"), SMALL);
  }

  private static long runs(Path zoo) throws IOException {
    try (Stream<Path> inside = Files.list(zoo)) {
      return inside.filter(Files::isDirectory).count();
    }
  }

  private static String line(CommandRun run, String name) {
    return run.out().lines().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
  }

  @Test
  void ranksRowsAndSaysWhyOneCannotRun() throws IOException {
    Path zoo = folder.resolve("zoo");
    CommandRun run = CommandRun.of("zoo", file(), "--out", zoo);
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    assertThat(run.out())
        .contains("equal rounds", "equal bytes", "equal time")
        .contains("cannot run: impossible: ", "leaves coordinates out")
        .contains("not in the file: ", "protocol gossip", "sharing jwins++");
    // A tenth of the bytes are less than a quarter of them.
    assertThat(line(run, "tenth")).contains("<");
    assertThat(line(run, "plain")).doesNotContain("<");
    assertThat(line(run, "slow").split(" +")[1]).isEqualTo("4");
    assertThat(runs(zoo)).isEqualTo(4);
    assertThat(Files.readString(zoo.resolve("ranking.csv")).lines()).hasSize(5);
    assertThat(zoo.resolve("zoo.png")).isNotEmptyFile();
    assertThat(Files.readString(zoo.resolve("zoo.svg")))
        .contains(">plain<", ">tenth<", ">sharing<");
  }

  @Test
  void runsAgainOnlyWhatIsMissing() throws IOException {
    Path zoo = folder.resolve("zoo");
    CommandRun first = CommandRun.of("zoo", file(), "--out", zoo, "--only", "plain,in step");
    assertThat(first.exitCode()).as(first.out() + first.err()).isZero();
    assertThat(runs(zoo)).isEqualTo(3);
    CommandRun more = CommandRun.of("zoo", file(), "--out", zoo, "--only", "plain", "--seeds", 2);
    assertThat(more.out()).doesNotContain("not in the file").doesNotContain("slow");
    assertThat(line(more, "plain")).contains("±").endsWith("2");
    assertThat(runs(zoo)).isEqualTo(4);
  }

  @Test
  void crossesProtocolsWithSchemes() throws IOException {
    Path zoo = folder.resolve("zoo");
    CommandRun run = CommandRun.of("zoo", file(), "--out", zoo, "--cross", "--only", "pairs");
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    assertThat(run.out()).contains("cannot run: pushed + tenth: ");
  }

  @Test
  void everyKindIsInTheShippedFile() {
    Path root = Path.of(System.getProperty("user.dir")).getParent();
    Experiment shipped = Experiment.read(root.resolve("examples/zoo.toml"));
    assertThat(Zoo.missing(Sweep.rows(shipped), shipped)).isEmpty();
  }

  @Test
  void namesMistakes() throws IOException {
    Path file = file();
    assertThat(CommandRun.of("zoo", file, "--only", "nobody").err())
        .contains("no row is called nobody", "plain, slow");
    assertThat(CommandRun.of("zoo", file, "--bytes", "many").err()).contains("--bytes");
    assertThat(CommandRun.of("zoo", file, "--seeds", 0).err()).contains("at least 1");
    for (List<String> wrong :
        List.of(
            List.of("name = \"slow\"", "name = \"plain\"", "same name"),
            List.of("name = \"slow\"", "", "no name"),
            List.of("training.rate = 0.0001", "training.rat = 1", "rat"),
            List.of("mode = \"rows\"", "mode = \"grid\"", "no rows"))) {
      Path bad =
          Files.writeString(folder.resolve("bad.toml"), SMALL.replace(wrong.get(0), wrong.get(1)));
      CommandRun run = CommandRun.of("zoo", bad, "--out", folder.resolve("none"));
      assertThat(run.exitCode()).as(wrong.toString()).isEqualTo(2);
      assertThat(run.err()).contains(wrong.get(2));
    }
  }
}
