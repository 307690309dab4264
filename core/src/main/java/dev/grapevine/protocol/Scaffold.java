package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.List;
import java.util.Optional;

/**
 * SCAFFOLD: federated averaging whose clients correct their steps by what their data lack to all
 * data. With c_i the control of client i and c that of the server, K local steps from the server's
 * x and a share S of the N clients,
 *
 * <pre>
 *   client: K times y ← y − γ (g(y) − c_i + c);   c_i⁺ = c_i − c + (x − y)/(K γ)
 *   server: x ← x + γ_g mean_{i∈S}(y_i − x),   c ← c + 1/N Σ_{i∈S} (c_i⁺ − c_i)</pre>
 *
 * <p>With all clients in every round c is the mean of the c_i. Kγ is the sum of the steps' rates;
 * in a round whose rate is zero c_i stays. Two vectors each way for each client of a round: x and
 * c, y − x and the change of c_i. Client and server keep one more vector each.
 */
@Kind(
    name = "scaffold",
    summary = "federated learning whose clients correct for the differences between their data",
    paper =
        "Karimireddy, Kale, Mohri, Reddi, Stich, Suresh: SCAFFOLD: Stochastic Controlled Averaging"
            + " for Federated Learning, ICML 2020")
public final class Scaffold implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("share of the clients that take part in a round, in (0, 1]") @Default("1.0")
          double fraction,
      @Doc("γ_g, how far the server moves along the clients' mean change, above 0") @Default("1.0")
          double globalRate) {

    public Settings {
      SettingException.require(
          fraction > 0 && fraction <= 1,
          "fraction",
          "fraction must be above 0 and at most 1: fraction=" + fraction);
      SettingException.require(
          globalRate > 0 && Double.isFinite(globalRate),
          "global-rate",
          "global-rate must be above 0: global-rate=" + globalRate);
    }
  }

  private static final int STATE = 1;
  private static final int CHANGE = 2;
  private static final int END = 3;
  private static final int ALIVE = 4;

  private final Settings settings;

  public Scaffold(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int servers() {
    return 1;
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
  public void run(Node self) throws InterruptedException {
    if (self.id() < self.learners()) {
      runClient(self);
    } else {
      runServer(self);
    }
  }

  /** An exchange of two vectors, one behind the other. */
  private static Exchange pair(Node self) {
    float[] both = new float[2 * self.learner().parameters().length];
    return self.exchange(
        "pair",
        both,
        FullSharing.raw(
            new SharingContext(
                self.id(),
                self.nodes(),
                both,
                List.of(),
                0,
                RandomStreams.of(0, self.id(), "pair"))));
  }

  private void runServer(Node self) throws InterruptedException {
    float[] global = self.learner().parameters();
    float[] control = self.state("control", global.length);
    Exchange pair = pair(self);
    float[] both = pair.vector();
    Replies replies = new Replies(self, CHANGE, ALIVE);
    int participants = (int) Math.ceil(settings.fraction() * self.learners());
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      int[] clients = Sample.distinct(self.random(), self.learners(), participants);
      System.arraycopy(global, 0, both, 0, global.length);
      System.arraycopy(control, 0, both, global.length, control.length);
      replies.expect(round, clients);
      Outgoing state = pair.encode(round, Neighbourhood.sendingTo(self.id(), clients));
      for (int client : clients) {
        self.send(client, STATE, round, state.to(client));
      }
      int changed = combine(pair, round, replies.collect());
      // The controls are the sum over those that took part, divided by the number of all.
      float share = (float) changed / self.learners();
      for (int i = 0; i < global.length && changed > 0; i++) {
        global[i] += (float) settings.globalRate() * both[i];
        control[i] += share * both[global.length + i];
      }
      self.evaluate(round);
    }
    for (int client = 0; client < self.learners(); client++) {
      self.send(client, END, self.rounds(), Payload.empty());
    }
  }

  /** Leaves the mean of the changes in the pair; returns how many made sense. */
  private static int combine(Exchange pair, int round, List<Message> changes)
      throws InterruptedException {
    if (changes.isEmpty()) {
      return 0;
    }
    double weight = 1.0 / changes.size();
    List<Contribution> contributions =
        changes.stream()
            .map(each -> new Contribution(each.sender(), weight, each.payload()))
            .toList();
    return pair.combine(new Received(round, 0, contributions)).length;
  }

  private static void runClient(Node self) throws InterruptedException {
    Learner learner = self.learner();
    float[] control = self.state("control", learner.parameters().length);
    Exchange pair = pair(self);
    Requests requests = new Requests(self, new int[] {STATE}, END, ALIVE);
    for (Message request = requests.next(); request != null; request = requests.next()) {
      if (pair.combine(Received.only(request.round(), request, 1)).length == 0) {
        continue;
      }
      self.train(() -> train(learner, control, pair.vector()));
      Payload change =
          pair.encode(request.round(), Neighbourhood.sendingTo(self.id(), request.sender()))
              .to(request.sender());
      self.send(request.sender(), CHANGE, request.round(), change);
    }
  }

  /** Trains from x, with x and c in {@code both}; leaves y − x and the change of c_i there. */
  private static double train(Learner learner, float[] control, float[] both) {
    float[] parameters = learner.parameters();
    int size = parameters.length;
    System.arraycopy(both, 0, parameters, 0, size);
    double[] rates = new double[1];
    double loss =
        LocalSteps.run(
            learner,
            gradient -> {
              rates[0] += learner.rate();
              for (int i = 0; i < size; i++) {
                gradient[i] += both[size + i] - control[i];
              }
            });
    for (int i = 0; i < size; i++) {
      float moved = parameters[i] - both[i];
      float changed = rates[0] == 0 ? 0 : (float) (-moved / rates[0]) - both[size + i];
      both[i] = moved;
      both[size + i] = changed;
      control[i] += changed;
    }
    return loss;
  }
}
