package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Senders;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.RandomRegular;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * Epidemic Learning with an oracle: in every round all nodes learn of the same new random regular
 * graph and average plainly with their neighbours in it. The oracle is the seed: every node draws
 * the same graph. The table {@code [topology]} is not used.
 */
@Kind(
    name = "el-oracle",
    summary = "Epidemic Learning: a new random regular graph in every round, plain averaging",
    paper = "de Vos, Farhadkhani, Guerraoui, Kermarrec, Pires, Sharma: Epidemic Learning, 2023")
public final class EpidemicOracle implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("nodes that each node exchanges models with in a round, at least 1") @Default("4")
          int peers) {

    public Settings {
      SettingException.require(peers >= 1, "peers", "peers must be at least 1: peers=" + peers);
    }
  }

  private final Topology graphs;

  public EpidemicOracle(Settings settings, ProtocolContext context) {
    this.graphs =
        context
            .shared()
            .get(
                settings,
                () ->
                    RandomRegular.everyRound(context.learners(), settings.peers(), context.seed()));
  }

  @Override
  public Senders senders(Topology topology) {
    return new Senders.Planned(graphs);
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.changingNeighbours(encoding);
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      int now = round;
      self.model()
          .mix(round, graphs.neighbours(self.id(), round), peer -> graphs.neighbours(peer, now));
      self.evaluate(round);
    }
  }
}
