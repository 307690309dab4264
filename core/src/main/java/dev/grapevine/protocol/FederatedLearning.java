package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.message.Vectors;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Topology;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Federated averaging: in every round a server on a node of its own sends the model to a random
 * share of the clients, they train and send it back, and the server averages what came.
 *
 * <p>With {@code proximal} μ &gt; 0 the clients minimise their loss plus μ/2 ‖w − w_server‖²
 * (FedProx); with {@code momentum} β &gt; 0 the server moves by v ← β v + Δ, w ← w + v, where Δ is
 * the averaged change (FedAvgM). A client that stays silent for the fault policy's patience is left
 * out of the round. The server keeps the replies of one round, and one vector for its momentum.
 */
@Kind(
    name = "federated",
    summary = "federated learning: a server averages what sampled clients trained (FedAvg)",
    paper =
        "McMahan et al.: Communication-Efficient Learning of Deep Networks from Decentralized Data,"
            + " 2017; Li et al.: FedProx, 2020; Hsu et al.: FedAvgM, 2019")
public final class FederatedLearning implements Protocol {

  /** How much a client's model counts. */
  public enum Weighting {
    SAMPLES,
    UNIFORM
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("share of the clients that take part in a round, in (0, 1]") @Default("1.0")
          double fraction,
      @Doc("how much a client counts: by its samples, or all the same") @Default("samples")
          Weighting weighting,
      @Doc("FedProx's μ, at least 0; 0 is FedAvg") @Default("0.0") double proximal,
      @Doc("the server's momentum β, in [0, 1); 0 is FedAvg") @Default("0.0") double momentum) {

    public Settings {
      SettingException.require(
          fraction > 0 && fraction <= 1,
          "fraction",
          "fraction must be above 0 and at most 1: fraction=" + fraction);
      SettingException.require(
          proximal >= 0, "proximal", "proximal must be at least 0: proximal=" + proximal);
      SettingException.require(
          momentum >= 0 && momentum < 1,
          "momentum",
          "momentum must be at least 0 and below 1: momentum=" + momentum);
    }
  }

  private static final int MODEL = 1;
  private static final int UPDATE = 2;
  private static final int END = 3;
  private static final int ALIVE = 4;

  private final Settings settings;

  public FederatedLearning(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int servers() {
    return 1;
  }

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Objections.ownEncoding(sharing, "models");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    if (self.id() < self.learners()) {
      runClient(self);
    } else {
      runServer(self);
    }
  }

  private void runServer(Node self) throws InterruptedException {
    float[] global = self.learner().parameters();
    float[] velocity = new float[settings.momentum() > 0 ? global.length : 0];
    Replies replies =
        new Replies(self, UPDATE, ALIVE, update -> requireUpdate(update.payload(), global.length));
    int participants = (int) Math.ceil(settings.fraction() * self.learners());
    for (int round = 0; round < self.rounds(); round++) {
      int[] clients = Sample.distinct(self.random(), self.learners(), participants);
      Payload model = self.compute(() -> Vectors.payload(global));
      replies.expect(round, clients);
      for (int client : clients) {
        self.send(client, MODEL, round, model);
      }
      List<Message> updates = replies.collect();
      self.compute(() -> average(updates, global, velocity));
      self.evaluate(round);
    }
    for (int client = 0; client < self.learners(); client++) {
      self.send(client, END, self.rounds(), Payload.empty());
    }
  }

  private static void requireUpdate(Payload update, int length) {
    Sound.requireVector(update, Integer.BYTES, length);
    int samples = update.buffer().getInt();
    if (samples < 0) {
      throw new MalformedPayloadException("a negative number of samples: samples=" + samples);
    }
  }

  private int average(List<Message> updates, float[] global, float[] velocity) {
    double total = 0;
    for (Message update : updates) {
      total += weight(update.payload().buffer());
    }
    if (total == 0) {
      return 0;
    }
    float[] mean = new float[global.length];
    for (Message update : updates) {
      ByteBuffer in = update.payload().buffer();
      double weight = weight(in);
      Vectors.addScaled(in.position(Integer.BYTES), (float) (weight / total), mean);
    }
    float momentum = (float) settings.momentum();
    for (int i = 0; i < global.length; i++) {
      if (momentum == 0) {
        global[i] = mean[i];
      } else {
        velocity[i] = momentum * velocity[i] + (mean[i] - global[i]);
        global[i] += velocity[i];
      }
    }
    return updates.size();
  }

  private double weight(ByteBuffer update) {
    return settings.weighting() == Weighting.SAMPLES ? update.getInt(0) : 1;
  }

  private void runClient(Node self) throws InterruptedException {
    Learner learner = self.learner();
    int length = learner.parameters().length;
    Requests requests =
        new Requests(
            self,
            new int[] {MODEL},
            END,
            ALIVE,
            model -> Sound.requireVector(model.payload(), 0, length));
    for (Message model = requests.next(); model != null; model = requests.next()) {
      Payload global = model.payload();
      self.train(() -> trainFrom(global, learner));
      Payload update = self.compute(() -> update(learner));
      self.send(model.sender(), UPDATE, model.round(), update);
    }
  }

  private void trainFrom(Payload model, Learner learner) {
    Vectors.read(model.buffer(), learner.parameters());
    if (settings.proximal() == 0) {
      learner.train();
    } else {
      ProximalTraining.run(learner, settings.proximal());
    }
  }

  private static Payload update(Learner learner) {
    PayloadWriter out =
        new PayloadWriter(Integer.BYTES + learner.parameters().length * Float.BYTES);
    out.beginMetadata();
    out.writeInt(learner.samples());
    out.endMetadata();
    Vectors.write(learner.parameters(), out);
    return out.finish();
  }
}
