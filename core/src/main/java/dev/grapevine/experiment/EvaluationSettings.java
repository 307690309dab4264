package dev.grapevine.experiment;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.learning.TestMetric;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import java.util.List;
import java.util.OptionalInt;

/** The table {@code [evaluation]}. */
public record EvaluationSettings(
    @Default("10") @Doc("evaluate after every so many rounds and after the last; 0 for never")
        int every,
    @Default("false")
        @Doc(
            "evaluate more rarely as time goes on: every 2nd time after 20 times, every 5th after"
                + " 50, every 10th after 120")
        boolean thinning,
    @Doc("how many nodes evaluate, drawn once by the seed; all unless given") OptionalInt nodes,
    @Doc("how many test samples are used, drawn once by the seed; all unless given")
        OptionalInt samples,
    @Default("false") @Doc("whether the average of all models is evaluated too")
        boolean averageModel,
    @Default("true")
        @Doc(
            "whether the nodes' own models are evaluated; false leaves the average model alone, as"
                + " DecentralizePy's centralized testing does")
        boolean local,
    @Default("true") @Doc("whether the mean training loss of the round is recorded")
        boolean trainLoss,
    @Default("false")
        @Doc(
            "whether models are also evaluated on the node's own training samples, all of them;"
                + " DecentralizePy's train_loss")
        boolean trainingSet,
    @Default("false") @Doc("whether models are also evaluated on the validation samples of [data]")
        boolean validation,
    @Default("false") @Doc("whether the models' mean distance from their average is recorded")
        boolean consensus,
    @Default("true")
        @Doc("whether the bytes of every link are recorded, for nodes with at most 256 peers")
        boolean linkTraffic,
    @Default("false") @Doc("whether models are also evaluated before the first round")
        boolean before,
    @Default("[]")
        @Doc(
            "what else is measured on the test samples: f1, auc, top-k, per-class, confusion, or an"
                + " own .java file")
        List<Choice<Void, TestMetric>> metrics) {

  public EvaluationSettings {
    require(every >= 0, "every", "every must not be negative (0 for never): every=" + every);
    require(
        local || averageModel,
        "local",
        "with local = false only the average model is evaluated: set average-model = true");
    require(
        local || !trainingSet,
        "training-set",
        "the training set is evaluated on the nodes' own models: leave out local = false");
    require(nodes.orElse(1) >= 1, "nodes", "nodes must be at least 1: nodes=" + nodes.orElse(1));
    require(
        samples.orElse(1) >= 1,
        "samples",
        "samples must be at least 1: samples=" + samples.orElse(1));
  }

  /** Whether nodes evaluate at the end of {@code round}, counted from 0. */
  public boolean due(int round, int rounds) {
    if (every == 0) {
      return false;
    }
    int done = round + 1;
    if (done == rounds) {
      return true;
    }
    if (done % every != 0) {
      return false;
    }
    return !thinning || isKept(done / every);
  }

  /** The thesis's schedule: evaluation n of those that {@code every} alone would ask for. */
  private static boolean isKept(int n) {
    int stride = n > 120 ? 10 : n > 50 ? 5 : n > 20 ? 2 : 1;
    return n % stride == 0;
  }
}
