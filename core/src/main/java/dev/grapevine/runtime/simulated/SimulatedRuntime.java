package dev.grapevine.runtime.simulated;

import dev.grapevine.network.LinkContext;
import dev.grapevine.network.LinkModel;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.RuntimeContext;
import dev.grapevine.runtime.compute.Carriers;
import dev.grapevine.runtime.compute.ComputeContext;
import dev.grapevine.runtime.compute.ComputeModel;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs nodes on a virtual clock: bit-identical for a seed, whatever the number of threads, and as
 * fast as the real work allows. See the description of this package.
 */
@Kind(
    name = "simulated",
    summary = "a virtual clock; training and messages take the time that models give them")
public final class SimulatedRuntime implements NodeRuntime {

  /** The settings of {@link SimulatedRuntime}. */
  public record Settings(
      @Doc("compute threads, 0 for one a core") @Default("0") int threads,
      @Doc("how long training takes") @Default("fixed")
          Choice<ComputeContext, ComputeModel> compute,
      @Doc(
              "how long own code may compute, by the wall clock, while nothing else happens,"
                  + " before the run is given up")
          @Default("60 s")
          Duration stallAfter) {

    public Settings {
      SettingException.require(
          stallAfter.isPositive(),
          "stall-after",
          "stall-after must be positive: stall-after=" + stallAfter);
      SettingException.require(
          threads >= 0, "threads", "threads must not be negative: threads=" + threads);
    }
  }

  private static final Duration USUAL_STALL_AFTER = Duration.ofSeconds(60);

  private final int threads;
  private final Duration stallAfter;
  private final Function<Plan, ComputeModel> compute;
  private final Function<Plan, LinkModel> links;

  public SimulatedRuntime(Settings settings, RuntimeContext context) {
    threads = settings.threads();
    stallAfter = settings.stallAfter();
    compute = plan -> settings.compute().create(new ComputeContext(plan.nodes(), plan.seed()));
    links = plan -> context.network().link().create(new LinkContext(plan.nodes(), plan.seed()));
  }

  /** A runtime with models at hand, for use as a library. */
  public SimulatedRuntime(int threads, ComputeModel compute, LinkModel links) {
    this.threads = threads;
    this.stallAfter = USUAL_STALL_AFTER;
    this.compute = plan -> compute;
    this.links = plan -> links;
  }

  @Override
  public boolean isSimulated() {
    return true;
  }

  @Override
  public Outcome run(Plan plan, Observer observer) {
    long start = System.nanoTime();
    ComputePool pool = new ComputePool(threads);
    Simulation simulation;
    Endings endings;
    try (pool;
        Carriers _ = Carriers.one()) {
      simulation = new Simulation(plan, observer, pool, compute.apply(plan), links.apply(plan));
      endings = simulation.run(stallAfter.toNanos());
    }
    return endings.outcome(
        Optional.of(simulation.trace().toString()),
        Optional.of(Duration.ofNanos(simulation.now())),
        Duration.ofNanos(System.nanoTime() - start));
  }
}
