package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentTest {

  private static Experiment parse(String toml) {
    return Experiment.parse(toml);
  }

  private static void refused(String toml, String message) {
    assertThatThrownBy(() -> parse(toml))
        .isInstanceOf(UserException.class)
        .hasMessage(message.stripTrailing());
  }

  @Test
  void aNameIsEnough() {
    Experiment experiment = parse("name = \"x\"");
    assertThat(experiment.seed()).isEqualTo(90);
    assertThat(experiment.nodes().count()).isEqualTo(16);
    assertThat(experiment.topology().name()).isEqualTo("regular");
    assertThat(experiment.sharing().name()).isEqualTo("full");
    assertThat(experiment.protocol().name()).isEqualTo("d-psgd");
    assertThat(experiment.runtime().name()).isEqualTo("live");
    ExperimentCheck.check(experiment);
  }

  @Test
  void theResolvedTextParsesToTheSame() {
    Experiment experiment =
        parse(
            """
            name = "x"
            [topology]
            kind = "small-world"
            [training]
            optimizer = "adam"
            schedule = "cosine"
            schedule-rounds = 50
            epochs = 1.5
            [sharing]
            kind = "jwins++"
            values = {kind = "zfp", tolerance = 0.01}
            [network]
            link = {kind = "latency", latency = "1.5 ms"}
            [faults]
            inject = [{fault = "is-slow", node = 2, delay = "3 s"}]
            [[override]]
            nodes = "0-3, 7"
            training.rate = 0.01
            sharing = {kind = "topk", alpha = 0.5}
            [sweep]
            "training.rate" = [0.1, 0.2]
            seeds = [1, 2]
            """);
    String text = experiment.toToml();
    assertThat(parse(text)).isEqualTo(experiment);
    assertThat(parse(text).toToml()).isEqualTo(text);
    assertThat(text).contains("latency = \"1500 us\"").contains("schedule-rounds = 50");
  }

  @Test
  void someNodesMayDiffer() {
    Experiment experiment =
        parse(
            """
            name = "x"
            [sharing]
            kind = "topk"
            alpha = 0.2
            [[override]]
            nodes = "0-3,7"
            training.rate = 0.01
            [[override]]
            nodes = "3"
            training.rate = 0.02
            training.optimizer = "adam"
            sharing.kind = "full"
            """);
    assertThat(experiment.forNode(0).training().rate()).isEqualTo(0.01);
    assertThat(experiment.forNode(7)).isSameAs(experiment.forNode(0));
    assertThat(experiment.forNode(3).training().rate()).isEqualTo(0.02);
    assertThat(experiment.forNode(3).optimizer().name()).isEqualTo("adam");
    assertThat(experiment.forNode(3).sharing().name()).isEqualTo("full");
    assertThat(experiment.forNode(4).training().rate()).isEqualTo(0.05);
    assertThat(experiment.forNode(4).sharing().name()).isEqualTo("topk");
  }

  @Test
  void keysAreSetAnewAllAtOnce() {
    Experiment experiment =
        parse("name = \"x\"\n[topology]\nkind = \"ring\"")
            .with(
                List.of("topology.kind=regular", "topology.degree=6", "network.link.jitter=2 ms"));
    assertThat(experiment.toToml()).contains("degree = 6").contains("jitter = \"2 ms\"");
    assertThat(experiment.with("name", "2").name()).isEqualTo("2");
    assertThat(experiment.with("evaluation.average-model", "true").evaluation().averageModel())
        .isTrue();
  }

  @Test
  void relativePathsStartAtTheFile() {
    Experiment experiment =
        Experiment.parse(
            """
            name = "x"
            [topology]
            kind = "file"
            path = "graphs/ring.txt"
            """,
            Path.of("/experiments"));
    assertThat(experiment.toToml()).contains("path = \"");
    assertThat(experiment.directory()).isEqualTo(Path.of("/experiments"));
  }

  @Test
  void whatIsWrongAtTheTop() {
    refused(
        "rounds = 5",
        "experiment: name is missing (what the experiment is called; names its results); it is a text");
    refused(
        "name = \"x\"\nround = 5",
        """
        experiment:2:1: there is no key "round" outside of tables; did you mean "rounds"?
          2 | round = 5
            | ^^^^^
        """);
    refused(
        "name = \"x\"\nbatch-size = 5",
        """
        experiment:2:1: "batch-size" belongs below the line [training]
          2 | batch-size = 5
            | ^^^^^^^^^^
        """);
    refused(
        "name = \"x\"\n[topolgy]\nkind = \"ring\"",
        """
        experiment:2:1: there is no table [topolgy]; did you mean "topology"?
          2 | [topolgy]
            | ^^^^^^^^^
        """);
    refused(
        "name = \"x\"\nsharing = \"full\"",
        """
        experiment:2:11: sharing is a table; write a line [sharing] and its keys below
          2 | sharing = "full"
            |           ^^^^^^
        """);
    refused(
        "name = \"x\"\nrounds = 0",
        """
        experiment:2:10: rounds must be at least 1: rounds=0
          2 | rounds = 0
            |          ^
        """);
  }

  @Test
  void whatIsWrongInOverrides() {
    refused(
        "name = \"x\"\n[[override]]\ntraining.rate = 1",
        """
        experiment:2:1: [[override]] does not say for which nodes; add a line nodes = "0-3,7"
          2 | [[override]]
            | ^^^^^^^^^^^^
        """);
    refused(
        "name = \"x\"\n[[override]]\nnodes = \"3-20\"",
        """
        experiment:3:9: there is no node 20: nodes are numbered from 0 to 15
          3 | nodes = "3-20"
            |         ^^^^^^
        """);
    refused(
        "name = \"x\"\n[[override]]\nnodes = \"5-3\"",
        """
        experiment:3:9: the range 5-3 runs backwards; write 3-5
          3 | nodes = "5-3"
            |         ^^^^^
        """);
    refused(
        "name = \"x\"\n[[override]]\nnodes = \"5\"\ntopology.kind = \"ring\"",
        """
        experiment:4:1: [topology] holds for all nodes; an override can change data, model, training, sharing, aggregation, protocol
          4 | topology.kind = "ring"
            | ^^^^^^^^^^^^^
        """);
    refused(
        "name = \"x\"\n[[override]]\nnodes = \"5\"\ntraining.rat = 1",
        """
        experiment:4:1: [training] has no key "rat" with optimizer "sgd" and schedule "constant"; did you mean "rate"?
          4 | training.rat = 1
            | ^^^^^^^^^^^^
        """);
  }

  private static void misfit(String toml, String message) {
    assertThatThrownBy(() -> ExperimentCheck.check(parse(toml)))
        .isInstanceOf(UserException.class)
        .hasMessage(message.stripTrailing());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dcd", "ecd", "ecsd", "qsgd"})
  void replicasThatStartFromTheModelNeedTheSameStart(String sharing) {
    misfit(
        "name = \"x\"\n[data]\nset = \"blobs\"\n[model]\nkind = \"logistic\"\n[nodes]\nsame-start = false\n[sharing]\nkind = \"%s\""
            .formatted(sharing),
        """
        experiment:7:14: sharing %s needs all nodes to start from the same weights: same-start=false; \
        set same-start = true, or take choco with start = "zero"
          7 | same-start = false
            |              ^^^^^
        """
            .formatted(sharing));
  }

  @Test
  void whatDoesNotFitTogether() {
    misfit(
        "name = \"x\"\n[topology]\ndegree = 16",
        """
        experiment:3:10: degree must be below the number of nodes: degree=16, nodes=16
          3 | degree = 16
            |          ^^
        """);
    misfit(
        "name = \"x\"\n[data]\nshards-per-node = 5000",
        """
        experiment:3:19: more shards than samples: nodes=16, shards-per-node=5000, samples=2000
          3 | shards-per-node = 5000
            |                   ^^^^
        """);
    misfit(
        "name = \"x\"\n[data]\nset = \"blobs\"\n[model]\nkind = \"gn-lenet\"",
        """
        experiment:5:8: model gn-lenet takes square images, but samples of blobs are 16
          5 | kind = "gn-lenet"
            |        ^^^^^^^^^^
        """);
    misfit(
        "name = \"x\"\n[model]\nkind = \"mlp\"\n[[override]]\nnodes = \"4\"\nmodel.hidden = 3",
        """
        experiment:6:1: models must be of one size to be mixed: node 4 has 2395 parameters, the others have 101770
          6 | model.hidden = 3
            | ^^^^^^^^^^^^
        """);
    misfit(
        "name = \"x\"\n[evaluation]\nnodes = 17",
        """
        experiment:3:9: more nodes are to evaluate than there are: nodes=17, nodes.count=16
          3 | nodes = 17
            |         ^^
        """);
    misfit(
        "name = \"x\"\n[evaluation]\nvalidation = true",
        """
        experiment:3:14: there are no validation samples; set data.validation to the share to hold out, such as 0.1
          3 | validation = true
            |              ^^^^
        """);
    misfit(
        "name = \"x\"\n[faults]\ninject = [{fault = \"throws\", node = 16}]",
        """
        experiment:3:10: there is no node 16 to go wrong: nodes are numbered from 0 to 15
          3 | inject = [{fault = "throws", node = 16}]
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        """);
  }

  @Test
  void sharingThatTheProtocolCannotUse() {
    misfit(
        "name = \"x\"\n[protocol]\nkind = \"federated\"\n[sharing]\nkind = \"choco\"",
        """
        experiment:5:8: protocol federated does not work with sharing choco: its clients come and go, and each message of the scheme builds on the one before; take full or a scheme of partial sharing such as jwins++
          5 | kind = "choco"
            |        ^^^^^^^
        """);
    misfit(
        "name = \"x\"\n[protocol]\nkind = \"stc\"\n[sharing]\nkind = \"topk\"",
        """
        experiment:5:8: protocol stc does not use sharing topk: it sends updates in an encoding of its own; leave out the table [sharing]
          5 | kind = "topk"
            |        ^^^^^^
        """);
    misfit(
        "name = \"x\"\n[protocol]\nkind = \"stc\"\n[sharing]\nkind = \"full\"\nvalues = \"float16\"",
        """
        experiment:5:8: protocol stc does not use sharing full: it sends updates in an encoding of its own; leave out the table [sharing]
          5 | kind = "full"
            |        ^^^^^^
        """);
    misfit(
        "name = \"x\"\n[sharing]\nkind = \"choco\"\n[aggregation]\nkind = \"median\"",
        """
        experiment:5:8: aggregation median looks at each neighbour's model, and sharing choco knows only their weighted sum; take aggregation.kind = "weighted", or a scheme that knows each neighbour, such as full, jwins++ or choco with neighbours = "changing"
          5 | kind = "median"
            |        ^^^^^^^^
        """);
    misfit(
        "name = \"x\"\n[protocol]\nkind = \"push-sum\"\n[aggregation]\nkind = \"median\"",
        """
        experiment: protocol push-sum does not work with sharing full and aggregation median: it adds up the parts that it is sent; take sharing.kind = "full" and aggregation.kind = "weighted"
        """);
    misfit(
        "name = \"x\"\n[protocol]\nkind = \"random-walk\"\n[sharing]\nkind = \"choco\"",
        """
        experiment:5:8: protocol random-walk does not work with sharing choco: its messages come at any time or not at all, and each message of the scheme builds on the one before; take full or a scheme of partial sharing such as jwins++
          5 | kind = "choco"
            |        ^^^^^^^
        """);
    misfit(
        "name = \"x\"\n[topology]\nkind = \"one-peer-exponential\"\n[sharing]\nkind = \"dcd\"",
        """
        experiment:5:8: protocol d-psgd does not work with sharing dcd: its neighbours change, and the scheme follows its neighbours by replicas; take a scheme without replicas, or choco with neighbours = "changing"
          5 | kind = "dcd"
            |        ^^^^^
        """);
  }

  @Test
  void aTopologyThatTheProtocolCannotUse() {
    misfit(
        "name = \"x\"\n[topology]\nkind = \"ring\"\n[protocol]\nkind = \"d2\"",
        """
        experiment:3:8: protocol d2 does not work on topology ring: it diverges unless the smallest eigenvalue of the mixing weights is above -0.333, and the topology's is -0.333; set topology.lazy = true, which mixes with (W + I)/2
          3 | kind = "ring"
            |        ^^^^^^
        """);
  }

  @Test
  void everySharingAndTopologyPassesTheCheckWithItsDefaults() {
    Experiment base = parse("name = \"x\"\n[model]\nkind = \"logistic\"");
    base.registry()
        .kinds(dev.grapevine.sharing.Encoding.FAMILY)
        .forEach(kind -> ExperimentCheck.check(base.with("sharing.kind", kind.name())));
    base.registry().kinds(dev.grapevine.topology.Topology.FAMILY).stream()
        .filter(kind -> kind.settings().stream().noneMatch(setting -> setting.required()))
        .forEach(kind -> ExperimentCheck.check(base.with("topology.kind", kind.name())));
    base.registry()
        .kinds(dev.grapevine.protocol.Protocol.FAMILY)
        .forEach(kind ->
            // Random regular graphs have too small an eigenvalue for d2 unless they are lazy.
            ExperimentCheck.check(
                base.with("protocol.kind", kind.name()).with("topology.lazy", "true")));
  }
}
