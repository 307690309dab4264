package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.engine.Model;
import dev.grapevine.learning.SampleExchange;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Builds everything that can be built without running and checks the parts against each other: the
 * graph against the number of nodes, the data against its partition, the model against the data,
 * sharing against the model, overrides against the rest.
 */
public final class ExperimentCheck {

  private final Experiment experiment;
  private final Parts parts;
  private final List<String> notes = new ArrayList<>();
  private int parameters;

  private ExperimentCheck(Experiment experiment, Path dataDirectory) {
    this.experiment = experiment;
    this.parts = new Parts(experiment, dataDirectory);
  }

  /**
   * What was found out on the way.
   *
   * @param parameters length of the model's vector, or 0 when the data is not here to tell
   * @param notes what could not be checked, and why
   * @param ignored what the experiment says without effect
   */
  public record Findings(
      Topology topology, int parameters, List<String> notes, List<String> ignored) {}

  /**
   * Checks the experiment with data from the usual folder.
   *
   * @throws UserException for the first thing that does not fit
   */
  public static Findings check(Experiment experiment) {
    return check(experiment, DataDirectory.locate());
  }

  /** Checks the experiment with data from a folder. */
  public static Findings check(Experiment experiment, Path dataDirectory) {
    return new ExperimentCheck(experiment, dataDirectory).run();
  }

  /** What the experiment says without effect, to be told to whoever runs it. */
  public static List<String> ignored(Experiment experiment) {
    return IgnoredSettings.of(experiment);
  }

  private Findings run() {
    Set<Experiment> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int node = 0; node < parts.learners(); node++) {
      Experiment view = experiment.forNode(node);
      if (seen.add(view)) {
        check(view, node);
      }
    }
    if (parts.nodes() > parts.learners() && seen.add(experiment)) {
      check(experiment, parts.learners());
    }
    return new Findings(
        parts.topology(), parameters, List.copyOf(notes), IgnoredSettings.of(experiment));
  }

  /** Checks what one kind of node is made of. */
  private void check(Experiment view, int node) {
    view.optimizer().create();
    view.schedule().create();
    Protocol protocol = parts.protocol(view, node);
    if (view != experiment && protocol.servers() > 0) {
      notes.add("a protocol with servers is overridden for some nodes; all must agree on them");
    }
    if (!parts.hasData(view)) {
      noteMissing(view.data().name());
      parts.requireFit(view, node, protocol, new NoSamples());
      return;
    }
    Model model = parts.model(view, node);
    parameters = model.parameterCount();
    SharingContext context =
        parts.sharing(view, node, new float[parameters], new NoSamples(), State.fresh());
    parts.requireFit(view, protocol, view.sharing().create(context), view.aggregation().create());
  }

  private void noteMissing(String set) {
    String note =
        "%s is not on this machine (grapevine data get %s), so partition, model and sharing"
                .formatted(set, set)
            + " were not checked against it";
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  /** Stands in for a node's data, which is not read while a scheme is built. */
  private static final class NoSamples implements SampleExchange {
    @Override
    public int samples() {
      return 0;
    }

    @Override
    public int inputSize() {
      return 1;
    }

    @Override
    public int targetSize() {
      return 1;
    }

    @Override
    public void read(int sample, float[] inputs, int at, float[] targets, int targetAt) {
      throw new UnsupportedOperationException("nothing is read while an experiment is checked");
    }

    @Override
    public void add(float[] inputs, int at, float[] targets, int targetAt) {
      throw new UnsupportedOperationException("nothing is added while an experiment is checked");
    }
  }
}
