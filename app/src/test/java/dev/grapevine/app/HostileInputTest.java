package dev.grapevine.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.plot.SomeRuns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two hundred inputs that are wrong, by mistake or on purpose: each is answered with an exit code
 * of 2 (or 1) and a message for people, never with a stack trace.
 */
class HostileInputTest {

  @TempDir private static Path folder;

  /** Experiment files as they should not be. */
  private static final String[] FILES = {
    "",
    "name",
    "name =",
    "name = \"",
    "name = \"a",
    "name = 3",
    "name = true",
    "name = []",
    "name = \"\"",
    "name = \"a/b\"",
    "name = \"a\"\nname = \"b\"",
    "name = \"a\"\nrounds = 0",
    "name = \"a\"\nrounds = -1",
    "name = \"a\"\nrounds = 1.5",
    "name = \"a\"\nrounds = \"many\"",
    "name = \"a\"\nrounds = 99999999999999999999",
    "name = \"a\"\nseed = \"x\"",
    "name = \"a\"\nseed = 1e3",
    "name = \"a\"\n[",
    "name = \"a\"\n[]",
    "name = \"a\"\n[[nodes]]\ncount = 3",
    "name = \"a\"\nnodes = 3",
    "name = \"a\"\n[nodes]\ncount = 0",
    "name = \"a\"\n[nodes]\ncount = -5",
    "name = \"a\"\n[nodes]\ncount = 99999999",
    "name = \"a\"\n[nodes]\ncount = nan",
    "name = \"a\"\n[nodes]\ncount = inf",
    "name = \"a\"\n[nodes]\n[nodes]",
    "name = \"a\"\n[ndoes]\ncount = 3",
    "name = \"a\"\n[topology]\nkind = 5",
    "name = \"a\"\n[topology]\nkind = \"\"",
    "name = \"a\"\n[topology]\nkind = \"rign\"",
    "name = \"a\"\n[topology]\nkind = \"Missing.java\"",
    "name = \"a\"\n[topology]\nkind = \"java.lang.String\"",
    "name = \"a\"\n[topology]\nkind = \"../../../../etc/passwd\"",
    "name = \"a\"\n[topology]\nkind = \"regular\"\ndegree = 1000",
    "name = \"a\"\n[sweep]\nseeds = 3",
    "name = \"a\"\n[sweep]\nseeds = []",
    "name = \"a\"\n[sweep]\nseeds = [1]\nmode = \"random walk\"",
    "name = \"a\"\n[sweep]\n\"nodes.cuont\" = [1]",
    "name = \"a\"\n[[override]]\n",
    "name = \"a\"\n[[override]]\nnodes = \"99\"",
    "name = \"a\"\n[[override]]\nnodes = \"a-b\"",
    "name = \"a\"\n[[override]]\nnodes = \"3-1\"\ntraining.rate = 1.0",
    "name = \"a\"\n[[override]]\nnodes = \"0\"\nnodes.count = 3",
    "name = \"a\"\n[override]\nnodes = \"0\"",
    "name = \"a\"\n[faults]\ninject = \"all\"",
    "name = \"a\"\n[faults]\ninject = [{fault = \"explodes\", node = 1}]",
    "name = \"a\"\n[faults]\ninject = [{node = 1}]",
    "name = \"\u0000\"",
    "\u0000\u0001\u0002",
    "{\"name\": \"json\"}",
    "<name>xml</name>",
    "name: yaml",
    "x".repeat(100_000),
    "a = ".repeat(2000),
    "a = " + "[".repeat(3000),
    "a" + ".a".repeat(500) + " = 1",
  };

  /** Settings that do not fit, on top of a file that is fine. */
  private static final String[] SETTINGS = {
    "",
    "=",
    "=3",
    "rounds",
    "rounds=",
    "rounds=x",
    ".=3",
    "a..b=3",
    "nodes=3",
    "nodes.count=1e9",
    "nodes.count=-1",
    "nodes.count={}",
    "nodes.same-start=maybe",
    "topology.kind=full-moon",
    "topology.kind=tree of life",
    "topology.kind=bipartite graph",
    "topology.kind=file",
    "topology.kind={kind=1}",
    "topology.degree=3",
    "data.set=none",
    "data.set=csv",
    "data.set=[]",
    "data.partition=dirichelt",
    "data.partition=natural",
    "data.validation=2",
    "data.validation=-0.5",
    "model.kind=transformer",
    "model.kind=gn-lenet",
    "model.kind=shakespeare-lstm",
    "model.kind=matrix-factorization",
    "model.kind=linear",
    "model.hidden=0",
    "training.rate=0",
    "training.rate=-1",
    "training.rate=nan",
    "training.rate=inf",
    "training.rate=fast",
    "training.batch-size=0",
    "training.batch-size=99999999999",
    "training.steps=-1",
    "training.epochs=0",
    "training.clip-norm=0",
    "training.optimizer=sdg",
    "training.schedule=never",
    "training.momentum=5",
    "sharing.kind=jwins+++",
    "sharing.kind=topk sharing",
    "sharing.alpha=3",
    "sharing.kind=chocolate",
    "sharing.kind=dcd psgd",
    "protocol.kind=dpsgd",
    "protocol.kind=Mine.java",
    "protocol.kind=dev.grapevine.protocol.Nothing",
    "evaluation.every=-1",
    "evaluation.nodes=0",
    "evaluation.nodes=999",
    "evaluation.samples=0",
    "evaluation.validation=true",
    "stop.accuracy=80",
    "stop.accuracy=0",
    "stop.patience=0",
    "stop.hours=-1",
    "stop.hours=nan",
    "stop.diverged=perhaps",
    "stop.loss=1",
    "runtime.kind=dead",
    "runtime.threads=-1",
    "runtime.stall-after=5",
    "runtime.stall-after=-5 s",
    "runtime.stall-after=0 s",
    "runtime.compute=fixed",
    "network.transport=pigeon",
    "network.payload-limit=0 B",
    "network.payload-limit=9999 TiB",
    "network.payload-limit=big",
    "network.open-links=0",
    "network.link=wet string",
    "network.link={kind=\"trace\"}",
    "faults.missing=panic",
    "faults.deadline=0 s",
    "faults.inject=[{fault=\"throws\",node=99}]",
    "faults.inject=[{fault=\"throws\",node=-1}]",
    "faults.inject=3",
    "sweep=3",
    "override=3",
    "--set",
    "nodes.count=\"3",
    "nodes.count='",
    "training.rate=1e999",
    "rounds=0x",
    "seed=0.5",
    "name=",
    "name=a\tb",
  };

  /** Whole command lines; FILE is an experiment that is fine, RUN a run, TEXT a file of text. */
  private static final String[] COMMANDS = {
    "",
    "fly",
    "--nonsense",
    "run",
    "run FILE FILE",
    "run missing.toml",
    "run DIR",
    "run TEXT",
    "run PICTURE",
    "run FILE --out TEXT",
    "run FILE --out TEXT/inside",
    "run FILE --out",
    "run FILE --fast",
    "run FILE --set",
    "run FILE --set evaluation.validation=true --out DIR/v",
    "run FILE --set faults.inject=[{fault=\"throws\",node=99}] --out DIR/f",
    "run FILE --set sweep.seeds=[1,2] --out DIR/s",
    "run FILE --set data.set=linear-regression --out DIR/l",
    "run FILE --set data.set=cifar10 --data-dir DIR/none --out DIR/c",
    "run FILE --set topology.kind=Broken.java --out DIR/b",
    "run FILE --set topology.kind=Throwing.java --out DIR/t",
    "run FILE --set topology.kind=Failing.java --out DIR/g",
    "run FILE --set topology.kind=Loading.java --out DIR/h",
    "run FILE --set protocol.kind=Throwing.java --out DIR/p",
    "check",
    "check missing.toml",
    "check DIR",
    "check TEXT",
    "check PICTURE",
    "check FILE --set topology.kind=Broken.java",
    "check FILE --set topology.kind=Throwing.java",
    "check FILE --set topology.kind=Failing.java",
    "check FILE --set topology.kind=Loading.java",
    "sweep",
    "sweep FILE",
    "sweep missing.toml",
    "sweep FILE --parallel 0",
    "sweep FILE --parallel -3",
    "sweep FILE --parallel x",
    "sweep FILE --set sweep.seeds=[1] --out TEXT",
    "zoo FILE",
    "zoo missing.toml",
    "zoo FILE --seeds 0",
    "zoo FILE --bytes x",
    "zoo FILE --seconds -1",
    "replay",
    "replay missing",
    "replay TEXT",
    "replay DIR",
    "replay BARE",
    "plot",
    "plot missing",
    "plot TEXT",
    "plot EMPTY",
    "plot RUN --metric no_such",
    "plot RUN --against moon",
    "plot RUN --against percentiles",
    "plot RUN --format gif",
    "plot RUN --out TEXT",
    "compare",
    "compare missing",
    "compare missing TEXT",
    "compare RUN --target 70",
    "compare RUN --target x",
    "compare RUN --target -5%",
    "compare RUN --format pdf",
    "report",
    "report missing",
    "report TEXT",
    "report RUN --out DIR",
    "watch",
    "watch missing",
    "watch RUN --port 99999",
    "watch RUN --port -1",
    "watch RUN --port x",
    "list nothing",
    "list sharing nothing",
    "list sharing Missing.java",
    "list topology Broken.java",
    "topology ring --nodes x",
    "topology nothing",
    "topology ring --nodes 0",
    "topology ring --nodes -1",
    "topology regular --nodes 4 --degree 9",
    "data",
    "data get",
    "data get nothing",
    "data get csv",
    "data get blobs --again",
    "data show nothing",
    "data show blobs --nodes 0",
    "data show blobs --nodes -4",
    "data show blobs --partition moon",
    "data show csv --file missing.csv",
    "import",
    "import missing.ini",
    "import TEXT",
    "export",
    "export missing",
    "export TEXT",
    "try",
    "try missing.java",
    "try TEXT",
    "try DIR/Broken.java",
    "try DIR/Throwing.java",
    "docs --out TEXT/inside",
  };

  @BeforeAll
  static void writeFiles() throws IOException {
    Files.writeString(
        folder.resolve("fine.toml"),
        """
        name = "fine"
        rounds = 2
        [nodes]
        count = 4
        [topology]
        kind = "ring"
        [data]
        set = "blobs"
        samples = 80
        [model]
        kind = "logistic"
        """);
    Files.createDirectories(folder.resolve("empty"));
    Files.writeString(folder.resolve("some.txt"), "some text\nthat is no TOML\n");
    Files.write(
        folder.resolve("picture.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', -1, 0, -128});
    Files.writeString(folder.resolve("Broken.java"), "public final class Broken {");
    Files.writeString(folder.resolve("Throwing.java"), topology("Throwing", "", "[7 / (n - n)]"));
    Files.writeString(folder.resolve("Failing.java"), topology("Failing", "[7 / (n - n)]", ""));
    Files.writeString(
        folder.resolve("Loading.java"),
        topology("Loading", "", "")
            .replace("//STATIC", "static int zero = 0; static int z = 1 / zero;"));
    SomeRuns.write(folder, "good", 1, 0.5);
    Files.createDirectories(folder.resolve("bare"));
    Files.writeString(folder.resolve("bare/experiment.toml"), "name = 3");
    Files.writeString(folder.resolve("bare/metrics.csv"), "");
  }

  /** An own topology that throws in its constructor or when it is asked. */
  private static String topology(String name, String atFirst, String whenAsked) {
    return """
    import dev.grapevine.topology.Neighbourhood;
    import dev.grapevine.topology.Topology;
    import dev.grapevine.topology.TopologyContext;

    public final class NAME implements Topology {
      //STATIC
      private final int n;

      public NAME(TopologyContext context) {
        n = context.nodes();
        int first = new int[1]FIRST;
      }

      @Override
      public int nodes() {
        return n;
      }

      @Override
      public Neighbourhood neighbours(int node, int round) {
        int asked = new int[1]ASKED;
        return Neighbourhood.alone(node);
      }

      @Override
      public int period() {
        return 1;
      }
    }
    """
        .replace("NAME", name)
        .replace("FIRST", atFirst.isEmpty() ? "[0]" : atFirst)
        .replace("ASKED", whenAsked.isEmpty() ? "[0]" : whenAsked);
  }

  static Stream<List<String>> inputs() throws IOException {
    List<List<String>> inputs = new ArrayList<>();
    for (int i = 0; i < FILES.length; i++) {
      Path file = folder.resolve("hostile-" + i + ".toml");
      Files.write(file, FILES[i].getBytes(StandardCharsets.UTF_8));
      inputs.add(List.of("check", file.toString()));
    }
    for (String setting : SETTINGS) {
      inputs.add(List.of("check", folder.resolve("fine.toml").toString(), "--set", setting));
    }
    for (String command : COMMANDS) {
      inputs.add(
          Arrays.stream(command.split(" ", -1))
              .filter(word -> !word.isEmpty())
              .map(word -> word.replaceFirst("^FILE$", folder.resolve("fine.toml").toString()))
              .map(word -> word.replaceFirst("^TEXT\\b", folder.resolve("some.txt").toString()))
              .map(word -> word.replaceFirst("^PICTURE$", folder.resolve("picture.png").toString()))
              .map(word -> word.replaceFirst("^EMPTY$", folder.resolve("empty").toString()))
              .map(word -> word.replaceFirst("^RUN$", folder.resolve("good-1").toString()))
              .map(word -> word.replaceFirst("^BARE$", folder.resolve("bare").toString()))
              .map(word -> word.replaceFirst("^DIR\\b", folder.toString()))
              .toList());
    }
    return inputs.stream();
  }

  @Test
  void thereAreTwoHundred() throws IOException {
    assertThat(inputs().count()).isGreaterThanOrEqualTo(200);
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void isAnsweredInWords(List<String> arguments) {
    CommandRun run = CommandRun.of(arguments.toArray());

    String all = run.out() + run.err();
    assertThat(run.exitCode()).as("exit code; it said %s", all).isIn(1, 2);
    assertThat(all).isNotBlank().doesNotContain("at dev.grapevine", "\tat ", "defect in Grapevine");
    // A sentence, and where it stands; picocli adds its usage, the compiler its complaint.
    assertThat(run.err().lines().findFirst().orElse(run.out())).hasSizeLessThan(600);
  }
}
