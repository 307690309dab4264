package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * Exact diffusion: train, correct by what the last mixing changed, mix with W̃ = (W + I)/2:
 *
 * <pre>  ψ(t+1) = x(t) − γ g(t),   φ = ψ(t+1) + x(t) − ψ(t),   x(t+1) = W̃ φ,   ψ(0) = x(0).</pre>
 *
 * <p>This is {@link D2} with W̃ for W, and so stays stable on every graph with symmetric weights;
 * with {@code lazy = false} it is D². Exact for one local step a round. One exchange a round; each
 * node keeps two more vectors.
 */
@Kind(
    name = "exact-diffusion",
    summary = "D² made stable on every graph by mixing with (W + I)/2",
    paper =
        "Yuan, Ying, Zhao, Sayed: Exact Diffusion for Distributed Optimization and Learning, 2018")
public final class ExactDiffusion implements InStep {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("whether to mix with (W + I)/2; with W itself it is D²") @Default("true")
          boolean lazy) {}

  private final Settings settings;

  public ExactDiffusion(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.exactMixing(encoding, rule);
  }

  @Override
  public Optional<String> objection(Topology topology) {
    return Objections.fixedNeighbours(topology);
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    D2.run(self, settings.lazy(), true);
  }
}
