package dev.grapevine.runtime;

import dev.grapevine.exchange.Carrier;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.network.FrameHeader;
import dev.grapevine.node.MessageHandler;
import dev.grapevine.runtime.fault.FaultInjection;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Interference;
import dev.grapevine.runtime.fault.NodeFailure;
import dev.grapevine.runtime.report.LinkBytes;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.scratch.ScratchPool;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's post: what its exchanges stand on, and the one way out of it for every message, where
 * faults are injected and bytes are counted.
 */
final class Post implements Carrier {

  private static final System.Logger LOG = System.getLogger(Post.class.getName());

  private final int id;
  private final Plan plan;
  private final Host host;
  private final Observer observer;
  private final Account account;
  private final ScratchPool scratches;
  private final @Nullable FaultInjection faults;
  private final @Nullable Interference interference;
  private final @Nullable LinkBytes links;
  private boolean isHandling;
  private @Nullable NodeReport reported;

  Post(
      Plan plan,
      Host host,
      Observer observer,
      Account account,
      ScratchPool scratches,
      @Nullable FaultInjection faults) {
    this.id = host.id();
    this.plan = plan;
    this.host = host;
    this.observer = observer;
    this.account = account;
    this.scratches = scratches;
    this.faults = faults;
    interference = Interference.of(plan.faults().messages(), id, plan.seed());
    links = observer.countsLinks() ? new LinkBytes() : null;
  }

  /** Declares what was counted, and of a server's client what it last reported. */
  void declare(State state) {
    if (links != null) {
      state.values("links", links::pairs, links::restore);
    }
    if (interference != null) {
      interference.declare(state.part("interference"));
    }
    state.values(
        "reported",
        () -> reported == null ? new long[0] : reported.toLongs(),
        saved -> {
          if (saved.length > 0) {
            reported = NodeReport.ofLongs(id, saved);
            observer.reported(reported);
          }
        });
  }

  /** A handler works on the node's own thread: it must not wait while the node trains. */
  @Override
  public void share(Consumer<Scratch> work) throws InterruptedException {
    Runnable timed =
        () -> {
          long start = System.nanoTime();
          try (Scratch scratch = scratches.borrow()) {
            work.accept(scratch);
          } finally {
            account.shared(System.nanoTime() - start);
          }
        };
    if (isHandling) {
      timed.run();
    } else {
      host.compute(timed);
    }
  }

  @Override
  public void send(Neighbourhood to, int channel, int round, Outgoing outgoing)
      throws InterruptedException {
    Message message = null;
    for (int peer : to.sendsTo()) {
      Payload payload = outgoing.to(peer);
      if (message == null || message.payload() != payload) {
        message = new Message(id, Message.EXCHANGE, channel, round, payload);
      }
      send(peer, message);
    }
  }

  /** Sends one message, with what goes wrong on purpose. */
  void send(int peer, Message message) throws InterruptedException {
    Message sent = message;
    int copies = 1;
    if (faults != null) {
      sent =
          new Message(
              id,
              message.tag(),
              message.channel(),
              faults.round(message.round()),
              faults.payload(message.payload()));
      copies = faults.copies();
    }
    for (int copy = 0; copy < copies; copy++) {
      account.sent(sent.payload());
      if (links != null) {
        links.add(peer, FrameHeader.framed(1, sent.payload().size()));
      }
      if (isServer(peer)) {
        // Before it is sent, so that the server's next report never outruns this one.
        reported = account.report(message.round());
        observer.reported(reported);
        account.isIn(message.round());
      }
      if (interference == null) {
        host.send(peer, sent, 0);
        continue;
      }
      for (long delay : interference.delays(peer, host.now())) {
        host.send(peer, sent, delay);
      }
    }
  }

  /** How many of its messages were lost on purpose; none where nothing goes wrong with them. */
  OptionalLong lost() {
    Lives lives = host.lives();
    if (interference == null && !lives.isUsed()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        (interference == null ? 0 : interference.lost()) + (lives.isUsed() ? lives.lostBy(id) : 0));
  }

  @Override
  public @Nullable Neighbourhood neighbours(int node, int round) {
    return node < plan.topology().nodes() ? plan.topology().neighbours(node, round) : null;
  }

  private boolean isServer(int peer) {
    return peer >= plan.topology().nodes() && id < plan.topology().nodes();
  }

  @Override
  public Received receive(Neighbourhood from, int channel, int round) throws InterruptedException {
    FaultPolicy policy = plan.policy();
    long begin = host.now();
    long deadline =
        policy.missing() == FaultPolicy.Missing.WAIT
            ? Host.NEVER
            : begin + policy.deadline().toNanos();
    @Nullable Payload[] payloads = host.receive(from.hearsFrom(), channel, round, deadline);
    account.waitedSince(begin);
    return received(from, round, payloads);
  }

  /** What has come; the weight of who was left out goes to the node itself. */
  private Received received(Neighbourhood from, int round, @Nullable Payload[] payloads) {
    int[] senders = from.hearsFrom();
    List<Contribution> contributions = new ArrayList<>(senders.length);
    double selfWeight = from.selfWeight();
    for (int i = 0; i < senders.length; i++) {
      Payload payload = payloads[i];
      if (payload != null) {
        contributions.add(new Contribution(senders[i], from.weights()[i], payload));
      } else if (plan.policy().missing() == FaultPolicy.Missing.GO_ON
          || host.isMissing(senders[i], round)) {
        selfWeight += from.weights()[i];
      } else {
        throw new NodeFailure("no message from %s".formatted(missing(senders, payloads)));
      }
    }
    return new Received(round, selfWeight, contributions);
  }

  private static String missing(int[] senders, @Nullable Payload[] payloads) {
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < senders.length; i++) {
      if (payloads[i] == null) {
        missing.add(senders[i]);
      }
    }
    return Waits.nodes(missing.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Gives a message to the protocol's handler. */
  void handle(Message message, MessageHandler handler) throws InterruptedException {
    isHandling = true;
    try {
      handler.handle(message);
    } catch (MalformedPayloadException malformed) {
      reject(message.sender(), malformed);
    } finally {
      isHandling = false;
    }
  }

  @Override
  public void reject(int sender, MalformedPayloadException complaint) {
    String what =
        "malformed payload from node %d in round %d: %s"
            .formatted(complaint.sender().orElse(sender), account.round(), complaint.getMessage());
    if (plan.policy().missing() != FaultPolicy.Missing.GO_ON) {
      throw new NodeFailure(what);
    }
    LOG.log(Level.WARNING, "node {0} left out a {1}", id, what);
  }

  /** Tells the observer what went over each link so far. */
  void tellLinks() {
    if (links != null) {
      for (int peer : links.peers()) {
        observer.sent(id, peer, links.bytes(peer));
      }
    }
  }
}
