package dev.grapevine.app.check;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.run.ForecastText;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.launch.Forecast;
import dev.grapevine.launch.Rehearsal;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyFacts;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Validates an experiment file without running it and prints it with all its defaults. */
@Command(
    name = "check",
    description = "Check an experiment file without running it, and print it with all defaults.",
    mixinStandardHelpOptions = true)
public final class CheckCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ExperimentFile file = new ExperimentFile();

  @Mixin private DataFolder data = new DataFolder();

  @Option(
      names = "--no-estimate",
      description = "Do not measure a step to say how long a run would take.")
  private boolean skipsEstimate;

  @Override
  public Integer call() {
    Experiment experiment = file.read();
    ExperimentCheck.Findings findings = ExperimentCheck.check(experiment, data.path());
    List<Sweep.Point> points = Sweep.points(experiment);
    if (Sweep.isIn(experiment)) {
      points.forEach(point -> ExperimentCheck.check(point.experiment()));
    } else {
      rehearse(experiment, findings);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(experiment.toToml());
    out.println();
    out.println("# " + facts(experiment, findings));
    if (Sweep.isIn(experiment)) {
      out.println("# sweep: %d experiments".formatted(points.size()));
    }
    findings.ignored().forEach(note -> out.println("# note: " + note));
    findings.notes().forEach(note -> out.println("# not checked: " + note));
    if (!skipsEstimate && findings.notes().isEmpty()) {
      out.println(
          "# estimate: "
              + Forecast.of(experiment, data.path())
                  .map(ForecastText::of)
                  .orElse("none: a node cannot be trained; run it to see why"));
    }
    out.println("# %s is fine".formatted(file.path()));
    out.flush();
    return 0;
  }

  private void rehearse(Experiment experiment, ExperimentCheck.Findings findings) {
    if (Rehearsal.isWorthwhile(experiment, findings.parameters())) {
      Rehearsal.of(experiment, data.path())
          .ifPresent(reason -> {
            throw new UserException("two rounds without training fail: " + reason);
          });
    }
  }

  private static String facts(Experiment experiment, ExperimentCheck.Findings findings) {
    Topology topology = findings.topology();
    TopologyFacts facts = TopologyFacts.of(topology, 0);
    String degree =
        facts.minimumDegree() == facts.maximumDegree()
            ? Integer.toString(facts.minimumDegree())
            : facts.minimumDegree() + " to " + facts.maximumDegree();
    String graph =
        "%d nodes, degree %s, %s"
            .formatted(
                facts.nodes(),
                degree,
                facts.connected() ? "connected, diameter " + facts.diameter() : "not connected");
    return findings.parameters() == 0
        ? graph
        : String.format(
            Locale.ROOT,
            "%s; model %s with %,d parameters",
            graph,
            experiment.model().name(),
            findings.parameters());
  }
}
