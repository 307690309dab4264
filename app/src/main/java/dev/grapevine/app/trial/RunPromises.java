package dev.grapevine.app.trial;

import dev.grapevine.app.console.Texts;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What every part promises that takes part in a run: sharing schemes, protocols, models. */
final class RunPromises {

  private static final String NO_TRAINING = "training.steps=0";
  private static final String OWN_STARTS = "nodes.same-start=false";

  private final TrialRuns runs;
  private final List<Finding> findings = new ArrayList<>();

  RunPromises(TrialRuns runs) {
    this.runs = runs;
  }

  /** Of any part. */
  RunPromises course() {
    String promise = "runs to its end on the virtual clock";
    RunResult once = runs.run("runtime.threads=1");
    findings.add(Finding.of(promise, complaint(once)));
    if (once.outcome().ending() != Ending.DONE) {
      return this;
    }
    RunResult again = runs.run("runtime.threads=4");
    boolean same =
        once.outcome().traceHash().equals(again.outcome().traceHash())
            && once.summary().testLoss().equals(again.summary().testLoss());
    findings.add(
        Finding.of(
            "takes the same course every time, with any number of threads",
            same ? "" : "two runs with one seed differ; is there a clock, a thread or a Random?"));
    findings.add(
        Finding.of(
            "runs to its end on the wall clock, in memory",
            complaint(runs.run("runtime.kind=live"))));
    findings.add(
        Finding.of(
            "runs to its end on the wall clock, over TCP",
            complaint(runs.run("runtime.kind=live", "network.transport=tcp"))));
    RunResult longer = runs.run("rounds=60");
    double accuracy = longer.summary().testAccuracy().mean();
    findings.add(
        Finding.of(
            "learns: four classes in sixty rounds",
            accuracy > 0.5
                ? ""
                : String.format(Locale.ROOT, "accuracy is %.1f %%", 100 * accuracy)));
    return this;
  }

  /** Of parts that mix models. */
  RunPromises mixing() {
    List<float[]> before =
        TrialRuns.models(
            runs.run(
                "protocol.kind=no-communication",
                "sharing.kind=full",
                NO_TRAINING,
                OWN_STARTS,
                "rounds=1"));
    RunResult mixed = runs.run(NO_TRAINING, OWN_STARTS, "rounds=40");
    if (mixed.outcome().ending() != Ending.DONE) {
      findings.add(Finding.broken("mixing alone brings models together", complaint(mixed)));
      return this;
    }
    List<float[]> after = TrialRuns.models(mixed);
    double spread = spread(after) / spread(before);
    findings.add(
        Finding.of(
            "mixing alone brings models together",
            spread < 0.5
                ? ""
                : String.format(
                    Locale.ROOT, "after 40 rounds their spread is %.0f %%", 100 * spread)));
    double moved = distance(mean(before), mean(after)) / spread(before);
    String promise = "the mean of all models stays as it was";
    findings.add(
        moved < 1e-3
            ? Finding.kept(promise, "")
            : Finding.note(
                promise,
                String.format(
                    Locale.ROOT,
                    "it does not: it moved by %.1f %% of the models' spread; schemes that send a"
                        + " part may do so, others have their weights wrong",
                    100 * moved)));
    return this;
  }

  /** Of parts that read what others have sent. */
  RunPromises nonsense() {
    String garbage = "faults.inject=[{fault = \"sends-garbage\", node = 1, from-round = 1}]";
    RunResult strict = runs.run(garbage, "faults.missing=fail");
    String reason = strict.outcome().reason();
    boolean sent = strict.summary().bytesSent().mean() > 0;
    findings.add(
        Finding.of(
            "refuses malformed payloads with MalformedPayloadException",
            !sent || reason.contains("malformed")
                ? ""
                : strict.outcome().ending() == Ending.DONE
                    ? "garbage was merged as if it were a model; check lengths before reading"
                    : reason));
    if (reason.contains("malformed payload from nodes")) {
      findings.add(
          Finding.note(
              "names the sender of a malformed payload",
              "it does not, so with go-on all neighbours are left out; give the exception the"
                  + " sender"));
    }
    findings.add(
        Finding.of(
            "goes on without a neighbour that sends nonsense",
            complaint(runs.run(garbage, "faults.missing=go-on", "faults.failed-node=drop"))));
    return this;
  }

  /** Of parts that wait for others. */
  RunPromises faults() {
    for (String fault : List.of("throws", "stops-silently", "sends-twice", "sends-wrong-round")) {
      findings.add(
          Finding.of(
              "goes on when a neighbour " + fault.replace('-', ' '),
              complaint(
                  runs.run(
                      "faults.inject=[{fault = \"%s\", node = 1, from-round = 2}]".formatted(fault),
                      "faults.missing=go-on",
                      "faults.failed-node=drop"))));
    }
    return this;
  }

  /** What it costs. */
  RunPromises bytes() {
    double own = runs.run().summary().bytesSent().mean();
    double full =
        runs.run("sharing.kind=full", "protocol.kind=d-psgd").summary().bytesSent().mean();
    findings.add(
        Finding.note(
            "bytes",
            String.format(
                Locale.ROOT,
                "sends %s per node in 6 rounds, %.0f %% of d-psgd with full sharing",
                Texts.bytes(own),
                100 * own / full)));
    return this;
  }

  List<Finding> findings() {
    return findings;
  }

  private static String complaint(RunResult result) {
    return result.outcome().ending() == Ending.DONE ? "" : result.outcome().reason();
  }

  private static double[] mean(List<float[]> models) {
    double[] mean = new double[models.getFirst().length];
    for (float[] model : models) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += (double) model[i] / models.size();
      }
    }
    return mean;
  }

  /** How far models are from their mean, on average. */
  private static double spread(List<float[]> models) {
    double[] mean = mean(models);
    double sum = 0;
    for (float[] model : models) {
      double[] wide = new double[model.length];
      for (int i = 0; i < wide.length; i++) {
        wide[i] = model[i];
      }
      sum += distance(wide, mean);
    }
    return sum / models.size();
  }

  private static double distance(double[] one, double[] other) {
    double squares = 0;
    for (int i = 0; i < one.length; i++) {
      squares += (one[i] - other[i]) * (one[i] - other[i]);
    }
    return Math.sqrt(squares);
  }
}
