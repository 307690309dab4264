package dev.grapevine.runtime.live;

import dev.grapevine.network.Inbox;
import dev.grapevine.network.LinkContext;
import dev.grapevine.network.LinkModel;
import dev.grapevine.network.MemoryTransport;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.network.Pacer;
import dev.grapevine.network.TcpTransport;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.RuntimeContext;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs nodes on the wall clock, each on a virtual thread, with messages that really travel. */
@Kind(name = "live", summary = "the wall clock; messages travel in memory or over TCP")
public final class LiveRuntime implements NodeRuntime {

  /** The settings of {@link LiveRuntime}. */
  public record Settings(
      @Doc("compute threads, 0 for one a core") @Default("0") int threads,
      @Doc(
              "how long all nodes may wait, with messages on their way, or own code may compute"
                  + " while nothing else happens, before the run is given up")
          @Default("60 s")
          Duration stallAfter) {

    public Settings {
      SettingException.require(
          threads >= 0, "threads", "threads must not be negative: threads=" + threads);
      SettingException.require(
          stallAfter.isPositive(),
          "stall-after",
          "stall-after must be positive: stall-after=" + stallAfter);
    }
  }

  private final Settings settings;
  private final TransportKind transport;
  private final int payloadLimit;
  private final int openLinks;
  private final Optional<Choice<LinkContext, LinkModel>> shape;
  private final @Nullable Company company;

  public LiveRuntime(Settings settings, RuntimeContext context) {
    this(
        settings,
        context.network().transport(),
        (int) context.network().payloadLimit().bytes(),
        context.network().openLinks(),
        context.network().shaped() ? Optional.of(context.network().link()) : Optional.empty(),
        context.company().orElse(null));
  }

  /**
   * A runtime for use as a library.
   *
   * @param payloadLimit the largest payload that a TCP link accepts, in bytes
   * @param openLinks how many TCP connections are kept open
   */
  public LiveRuntime(Settings settings, TransportKind transport, int payloadLimit, int openLinks) {
    this(settings, transport, payloadLimit, openLinks, Optional.empty(), null);
  }

  private LiveRuntime(
      Settings settings,
      TransportKind transport,
      int payloadLimit,
      int openLinks,
      Optional<Choice<LinkContext, LinkModel>> shape,
      @Nullable Company company) {
    this.settings = settings;
    this.transport = transport;
    this.payloadLimit = payloadLimit;
    this.openLinks = openLinks;
    this.shape = shape;
    this.company = company;
  }

  @Override
  public Outcome run(Plan plan, Observer observer) {
    long start = System.nanoTime();
    Endings endings;
    try (ComputePool pool = new ComputePool(threads())) {
      LiveRun run =
          new LiveRun(
              plan,
              observer,
              pool,
              inbox -> shaped(open(inbox, plan.nodes()), plan),
              company,
              settings.stallAfter().toNanos());
      endings = run.run();
    }
    return endings.outcome(
        Optional.empty(), Optional.empty(), Duration.ofNanos(System.nanoTime() - start));
  }

  /** Workers of one machine share its processors, be they counted or named by the settings. */
  private int threads() {
    int all =
        settings.threads() == 0 ? Runtime.getRuntime().availableProcessors() : settings.threads();
    return company == null ? all : Math.max(1, all / company.onThisMachine());
  }

  private Transport shaped(Transport transport, Plan plan) {
    return shape
        .<Transport>map(
            links -> new Pacer(transport, links.create(new LinkContext(plan.nodes(), plan.seed()))))
        .orElse(transport);
  }

  private Transport open(Inbox inbox, int nodes) {
    if (company != null) {
      return company.open(inbox);
    }
    return switch (transport) {
      case MEMORY -> new MemoryTransport(inbox, nodes);
      case TCP -> new TcpTransport(inbox, nodes, payloadLimit, openLinks);
    };
  }
}
