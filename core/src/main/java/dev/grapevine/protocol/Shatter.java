package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.node.Node;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.RandomRegular;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shatter: no node sees another's whole model. Every node cuts its model into k fragments and lets
 * a virtual node carry each; the virtual nodes of one fragment meet on a random regular graph of
 * their own, drawn anew in every round, and average it:
 *
 * <pre>  x_i[f] ← (x_i[f] + Σ_j x_j[f])/(1 + r),   j the r neighbours of i in graph f of the round.
 * </pre>
 *
 * <p>Virtual nodes are roles of the node here and not processes: what a receiver learns is one
 * fragment of r senders a round, while frames do name the real sender. The graphs come from the
 * seed. Keeps the mean; with one fragment it is {@code el-oracle}. The table {@code [topology]} is
 * not used. k exchanges a round at once, each of one k-th of the model; no vectors are kept.
 */
@Kind(
    name = "shatter",
    summary = "averages each fragment of the model with other random nodes, none seen whole",
    paper =
        "Biswas, Even, Kermarrec, Massoulie, Pires, Sharma, de Vos: Noiseless Privacy-Preserving"
            + " Decentralized Learning, PETS 2025")
public final class Shatter implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("k, virtual nodes of a node and fragments of a model, from 1 to 64") @Default("8")
          int fragments,
      @Doc("r, nodes that each fragment is exchanged with in a round, at least 1") @Default("4")
          int peers) {

    public Settings {
      SettingException.require(
          fragments >= 1 && fragments <= 64,
          "fragments",
          "fragments must be from 1 to 64: fragments=" + fragments);
      SettingException.require(peers >= 1, "peers", "peers must be at least 1: peers=" + peers);
    }
  }

  private final Settings settings;
  private final ProtocolContext context;

  public Shatter(Settings settings, ProtocolContext context) {
    this.settings = settings;
    this.context = context;
    // Refuses a number of peers that no graph can have.
    graph(0);
  }

  private Topology graph(int fragment) {
    // The first fragment's graphs are those of el-oracle.
    long seed = fragment == 0 ? context.seed() : SplitMix.mix(context.seed(), fragment);
    return context
        .shared()
        .get(
            List.of(Shatter.class, settings, fragment),
            () -> RandomRegular.everyRound(context.learners(), settings.peers(), seed));
  }

  @Override
  public boolean usesSharing() {
    return false;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Optional.empty();
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    float[] model = self.learner().parameters();
    int[][] cut =
        context
            .shared()
            .get(
                List.of(Fragment.class, settings.fragments()),
                () -> Fragment.cut(self.learner().blocks(), settings.fragments(), context.seed()));
    List<Exchange> exchanges = new ArrayList<>();
    for (int fragment = 0; fragment < cut.length; fragment++) {
      exchanges.add(
          self.exchange("fragment-" + fragment, model, new Fragment(model, cut[fragment])));
    }
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      for (int i = 0; i < cut.length; i++) {
        var peers = graph(i).neighbours(self.id(), round);
        exchanges.get(i).send(round, peers, exchanges.get(i).encode(round, peers));
      }
      for (int i = 0; i < cut.length; i++) {
        var peers = graph(i).neighbours(self.id(), round);
        exchanges.get(i).combine(exchanges.get(i).receive(round, peers));
      }
      self.evaluate(round);
    }
  }
}
