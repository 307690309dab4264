package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.difference.ErrorFeedback;
import dev.grapevine.sharing.difference.TernaryCompressor;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Federated learning with sparse ternary compression both ways. A client sends STC(Δ + R), where Δ
 * is what training changed and R the error of what it sent before; the server averages what came,
 * adds its own error, compresses likewise, applies the compressed update to its model and sends it
 * out. With {@code fraction} below one, a client that was left out gets all updates since it last
 * took part, or the whole model where that is smaller, and so never drifts from the server's model.
 *
 * <p>Memory: one vector of error on each side, and the server's updates until all clients have
 * them.
 */
@Kind(
    name = "stc",
    summary = "federated learning with sparse ternary updates and error feedback on both sides",
    paper =
        "Sattler, Wiedemann, Mueller, Samek: Robust and Communication-Efficient Federated Learning"
            + " from Non-IID Data, 2019")
public final class SparseTernary implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("share of the clients that take part in a round, in (0, 1]") @Default("1.0")
          double fraction,
      @Doc("share of the values sent up and down, in (0, 1]") @Default("0.01") double sparsity,
      @Doc("how positions are encoded") @Default("elias-gamma")
          Choice<Void, IndexCodec> positions) {

    public Settings {
      SettingException.require(
          fraction > 0 && fraction <= 1,
          "fraction",
          "fraction must be above 0 and at most 1: fraction=" + fraction);
      SettingException.require(
          sparsity > 0 && sparsity <= 1,
          "sparsity",
          "sparsity must be above 0 and at most 1: sparsity=" + sparsity);
    }
  }

  private static final int UPDATES = 1;
  private static final int WHOLE_MODEL = 2;
  private static final int CHANGE = 3;
  private static final int END = 4;
  private static final int ALIVE = 5;

  /** What a client knows whose state is in doubt. */
  private static final int NOTHING = -1;

  private final Settings settings;

  public SparseTernary(Settings settings) {
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
      new Client(self).run();
    } else {
      new Server(self).run();
    }
  }

  /** An exchange of ternary updates that are added to {@code vector}. */
  private Exchange ternary(Node self, String name, float[] vector) {
    TernaryCompressor compressor =
        new TernaryCompressor(
            new TernaryCompressor.Settings(settings.sparsity(), settings.positions()));
    return self.exchange(name, vector, new ErrorFeedback(vector, compressor));
  }

  private final class Server {

    private final Node self;
    private final Exchange model;
    private final Exchange residual;
    private final List<Payload> updates = new ArrayList<>();
    private final int[] known;
    private final Replies replies;

    Server(Node self) {
      this.self = self;
      float[] parameters = self.learner().parameters();
      this.model = ternary(self, "updates", parameters);
      this.residual = ternary(self, "residual", self.state("residual", parameters.length));
      this.known = new int[self.learners()];
      Arrays.fill(known, NOTHING);
      self.state()
          .values(
              "known",
              () -> Arrays.stream(known).asLongStream().toArray(),
              saved -> Arrays.setAll(known, client -> (int) saved[client]));
      self.state()
          .bytes(
              "updates",
              () ->
                  MessageBytes.write(
                      updates.stream().map(each -> new Message(0, UPDATES, 0, each)).toList()),
              saved -> MessageBytes.read(saved).forEach(message -> updates.add(message.payload())));
      this.replies = new Replies(self, CHANGE, ALIVE);
    }

    void run() throws InterruptedException {
      int participants = (int) Math.ceil(settings.fraction() * self.learners());
      for (int round = self.firstRound(); round < self.rounds(); round++) {
        int[] clients = Sample.distinct(self.random(), self.learners(), participants);
        replies.expect(round, clients);
        for (int client : clients) {
          bringUpToDate(client, round);
        }
        List<Message> changes = replies.collect();
        doubt(clients, changes);
        updates.add(combine(round, changes));
        self.evaluate(round);
      }
      for (int client = 0; client < self.learners(); client++) {
        self.send(client, END, self.rounds(), Payload.empty());
      }
    }

    /** Sends what the client has missed; the first time, that is the whole model. */
    private void bringUpToDate(int client, int round) throws InterruptedException {
      List<Payload> missed =
          known[client] == NOTHING ? List.of() : updates.subList(known[client], updates.size());
      long bytes = missed.stream().mapToLong(Payload::size).sum();
      if (known[client] != NOTHING && bytes < (long) model.vector().length * Float.BYTES) {
        self.send(client, UPDATES, round, join(missed));
      } else {
        self.send(client, WHOLE_MODEL, round, self.compute(() -> Update.payload(model.vector())));
      }
      known[client] = updates.size();
      forgetWhatAllKnow();
    }

    /** Empties the slots of updates that nobody needs any more. */
    private void forgetWhatAllKnow() {
      int oldest =
          Arrays.stream(known).filter(count -> count != NOTHING).min().orElse(updates.size());
      for (int i = oldest - 1; i >= 0 && updates.get(i).size() > 0; i--) {
        updates.set(i, Payload.empty());
      }
    }

    /** A client that did not answer may have missed what it was sent. */
    private void doubt(int[] clients, List<Message> changes) {
      for (int client : clients) {
        if (changes.stream().noneMatch(change -> change.sender() == client)) {
          known[client] = NOTHING;
        }
      }
    }

    private Payload combine(int round, List<Message> changes) throws InterruptedException {
      double weight = 1.0 / changes.size();
      residual.combine(
          new Received(
              round,
              0,
              changes.stream()
                  .map(each -> new Contribution(each.sender(), weight, each.payload()))
                  .toList()));
      Payload update = residual.encode(round, Neighbourhood.sendingTo(self.id())).to(self.id());
      model.combine(Received.only(round, new Message(self.id(), UPDATES, round, update), 1));
      return update;
    }
  }

  private final class Client {

    private final Node self;
    private final Learner learner;
    private final Exchange residual;
    private final Exchange model;

    Client(Node self) {
      this.self = self;
      this.learner = self.learner();
      float[] parameters = learner.parameters();
      this.model = ternary(self, "updates", self.state().floats("model", parameters.clone()));
      this.residual = ternary(self, "residual", self.state("residual", parameters.length));
    }

    void run() throws InterruptedException {
      Requests requests = new Requests(self, new int[] {UPDATES, WHOLE_MODEL}, END, ALIVE);
      for (Message request = requests.next(); request != null; request = requests.next()) {
        take(request);
        self.train(this::train);
        Neighbourhood to = Neighbourhood.sendingTo(self.id(), request.sender());
        Payload change = residual.encode(request.round(), to).to(request.sender());
        self.send(request.sender(), CHANGE, request.round(), change);
      }
    }

    private void take(Message message) throws InterruptedException {
      if (message.tag() == WHOLE_MODEL) {
        model.replace(message.sender(), message.payload());
      } else {
        model.combine(Received.only(message.round(), message, 1));
      }
    }

    /** Trains at the server's model; what that changed joins what has not been sent yet. */
    private double train() {
      float[] parameters = learner.parameters();
      float[] start = model.vector();
      System.arraycopy(start, 0, parameters, 0, start.length);
      double loss = learner.train();
      float[] unsent = residual.vector();
      for (int i = 0; i < unsent.length; i++) {
        unsent[i] += parameters[i] - start[i];
      }
      return loss;
    }
  }

  private static Payload join(List<Payload> updates) {
    PayloadWriter out = new PayloadWriter(1024);
    for (Payload update : updates) {
      ByteBuffer bytes = update.buffer();
      int at = out.claim(bytes.remaining());
      bytes.get(out.array(), at, bytes.remaining());
    }
    return out.finish();
  }
}
