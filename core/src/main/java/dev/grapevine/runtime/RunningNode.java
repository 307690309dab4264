package dev.grapevine.runtime;

import dev.grapevine.exchange.Carrier;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.network.FrameHeader;
import dev.grapevine.node.MessageHandler;
import dev.grapevine.node.Node;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.fault.FaultInjection;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.NodeFailure;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.LinkBytes;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.runtime.report.Traffic;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.scratch.ScratchPool;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A node of either runtime: all that does not depend on the clock. */
public final class RunningNode implements Node {

  private static final System.Logger LOG = System.getLogger(RunningNode.class.getName());
  private static final int LARGEST_TAG = 255;

  private final int id;
  private final Plan plan;
  private final NodeSetup setup;
  private final Host host;
  private final Observer observer;
  private final AverageCollector averages;
  private final Carrier carrier = new Post();
  private final Exchange model;
  private final @Nullable FaultInjection faults;
  private final @Nullable LinkBytes links;
  private @Nullable RandomGenerator random;

  private int channels;
  private boolean isHandling;
  private double trainLoss = Double.NaN;
  private int trainings;
  private int roundsFinished;

  /** The round it is at; what a message is numbered with may be anything but to a server. */
  private int round;

  private long messagesSent;
  private long payloadSent;
  private long metadataSent;
  private long trainNanos;
  private long shareNanos;
  private long waitNanos;
  private long evaluateNanos;

  public RunningNode(int id, Plan plan, Host host, Observer observer, AverageCollector averages) {
    this.id = id;
    this.plan = plan;
    this.setup = plan.nodes().get(id);
    this.host = host;
    this.observer = observer;
    this.averages = averages;
    model = open(setup.learner().parameters(), setup.encoding());
    faults = FaultInjection.of(plan.faults(), id, plan.seed());
    links = observer.countsLinks() ? new LinkBytes() : null;
  }

  /** Runs the protocol to its end, whichever it is. Called once, on the node's own thread. */
  @SuppressWarnings("CatchingUnchecked") // whatever a node throws is the node's failure
  public NodeEnd run() {
    NodeEnd end;
    try {
      setup.protocol().run(this);
      end = new NodeEnd(NodeOutcome.Status.FINISHED, "", false);
    } catch (InterruptedException | RunStopped | CancellationException stopped) {
      end = new NodeEnd(NodeOutcome.Status.STOPPED, "the run was stopped", false);
    } catch (NodeFailure failure) {
      end = new NodeEnd(NodeOutcome.Status.FAILED, describe(failure), failure.isSilent());
    } catch (Throwable thrown) {
      observer.thrown(id, round, thrown);
      end = new NodeEnd(NodeOutcome.Status.FAILED, describe(thrown), false);
    }
    averages.ended(id, host.now());
    tellLinks();
    return end;
  }

  private void tellLinks() {
    if (links != null) {
      for (int peer : links.peers()) {
        observer.sent(id, peer, links.bytes(peer));
      }
    }
  }

  private String describe(Throwable thrown) {
    return "node %d failed in round %d: %s".formatted(id, round, FailureText.of(thrown));
  }

  /** The outcome, to be asked for once the node has ended and its mailbox is closed. */
  public NodeOutcome outcome(NodeEnd end) {
    return new NodeOutcome(
        id,
        end.status(),
        end.reason(),
        roundsFinished,
        host.mailbox().unread(),
        traffic(),
        phases());
  }

  private Traffic traffic() {
    Mailbox mailbox = host.mailbox();
    return new Traffic(
        messagesSent,
        payloadSent,
        metadataSent,
        mailbox.messages(),
        mailbox.payloadBytes(),
        mailbox.metadataBytes());
  }

  private PhaseTimes phases() {
    return new PhaseTimes(
        Duration.ofNanos(trainNanos),
        Duration.ofNanos(shareNanos),
        Duration.ofNanos(waitNanos),
        Duration.ofNanos(evaluateNanos));
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public int nodes() {
    return plan.nodes().size();
  }

  @Override
  public int learners() {
    return plan.topology().nodes();
  }

  @Override
  public int rounds() {
    return plan.rounds();
  }

  @Override
  public RandomGenerator random() {
    if (random == null) {
      random =
          setup.state().stream("protocol-random", RandomStreams.of(plan.seed(), id, "protocol"));
    }
    return random;
  }

  @Override
  public Learner learner() {
    return setup.learner();
  }

  @Override
  public Exchange model() {
    return model;
  }

  @Override
  public Exchange exchange(String name, float[] vector) {
    return exchange(name, vector, setup.encodings().of(name, vector));
  }

  @Override
  public Exchange exchange(String name, float[] vector, Encoding encoding) {
    if (channels > Message.LARGEST_CHANNEL) {
      throw new IllegalStateException("too many exchanges: name=" + name);
    }
    return open(vector, encoding);
  }

  private Exchange open(float[] vector, Encoding encoding) {
    return new Exchange(channels++, vector, encoding, setup.aggregator(), List.of(), carrier);
  }

  @Override
  public float[] state(String name, int size) {
    return setup.state().floats(name, size);
  }

  @Override
  public State state() {
    return setup.state();
  }

  @Override
  public Neighbourhood neighbours(int round) {
    return id < learners() ? plan.topology().neighbours(id, round) : Neighbourhood.alone(id);
  }

  @Override
  public Duration patience() {
    return plan.policy().missing() == FaultPolicy.Missing.WAIT
        ? Duration.ofNanos(Host.NEVER)
        : plan.policy().deadline();
  }

  @Override
  public void onMessage(int tag, MessageHandler handler) {
    requireTag(tag);
    host.onMessage(tag, message -> handle(message, handler));
  }

  private void handle(Message message, MessageHandler handler) throws InterruptedException {
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
            .formatted(complaint.sender().orElse(sender), round, complaint.getMessage());
    if (plan.policy().missing() != FaultPolicy.Missing.GO_ON) {
      throw new NodeFailure(what);
    }
    LOG.log(Level.WARNING, "node {0} left out a {1}", id, what);
  }

  @Override
  public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    long begin = host.now();
    boolean holds = host.await(condition, deadline(begin, timeout));
    waitNanos += host.now() - begin;
    return holds;
  }

  @Override
  public Duration time() {
    return Duration.ofNanos(host.now());
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    host.sleep(Math.max(0, duration.toNanos()));
  }

  @Override
  public double train(DoubleSupplier work) throws InterruptedException {
    long delay = faults == null ? 0 : faults.beforeTraining();
    host.train(
        () -> {
          long start = System.nanoTime();
          trainLoss = work.getAsDouble();
          trainNanos += System.nanoTime() - start;
        },
        trainings++,
        delay);
    return trainLoss;
  }

  @Override
  public <T> T compute(Supplier<T> work) throws InterruptedException {
    List<T> result = new ArrayList<>(1);
    host.compute(() -> result.add(work.get()));
    return result.getFirst();
  }

  /** What the node's exchanges stand on. */
  private final class Post implements Carrier {

    /** A handler works on the node's own thread: it must not wait while the node trains. */
    @Override
    public void share(Consumer<Scratch> work) throws InterruptedException {
      Runnable timed =
          () -> {
            long start = System.nanoTime();
            try (Scratch scratch = ScratchPool.ofProcess().borrow()) {
              work.accept(scratch);
            } finally {
              shareNanos += System.nanoTime() - start;
            }
          };
      if (isHandling) {
        timed.run();
      } else {
        host.compute(timed);
      }
    }

    @Override
    public void send(Neighbourhood to, int channel, int at, Outgoing outgoing)
        throws InterruptedException {
      Message message = null;
      for (int peer : to.sendsTo()) {
        Payload payload = outgoing.to(peer);
        if (message == null || message.payload() != payload) {
          message = new Message(id, Message.EXCHANGE, channel, at, payload);
        }
        RunningNode.this.send(peer, message);
      }
    }

    @Override
    public Received receive(Neighbourhood from, int channel, int at) throws InterruptedException {
      FaultPolicy policy = plan.policy();
      long begin = host.now();
      long deadline =
          policy.missing() == FaultPolicy.Missing.WAIT
              ? Host.NEVER
              : begin + policy.deadline().toNanos();
      @Nullable Payload[] payloads = host.receive(from.hearsFrom(), channel, at, deadline);
      waitNanos += host.now() - begin;
      return received(from, at, payloads);
    }

    @Override
    public void reject(int sender, MalformedPayloadException complaint) {
      RunningNode.this.reject(sender, complaint);
    }
  }

  @Override
  public void send(int peer, int tag, int round, Payload payload) throws InterruptedException {
    requireTag(tag);
    if (peer < 0 || peer >= nodes() || peer == id) {
      throw new IllegalArgumentException(
          "no such peer: peer=%d, node=%d, nodes=%d".formatted(peer, id, nodes()));
    }
    if (round < 0) {
      throw new IllegalArgumentException("round must not be negative: round=" + round);
    }
    send(peer, new Message(id, tag, round, payload));
  }

  private static void requireTag(int tag) {
    if (tag <= Message.EXCHANGE || tag > LARGEST_TAG) {
      throw new IllegalArgumentException("tag must be from 1 to 255: tag=" + tag);
    }
  }

  private void send(int peer, Message message) throws InterruptedException {
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
      messagesSent++;
      payloadSent += sent.payload().size();
      metadataSent += sent.payload().metadataSize();
      if (links != null) {
        links.add(peer, FrameHeader.framed(1, sent.payload().size()));
      }
      if (isServer(peer)) {
        // Before it is sent, so that the server's next report never outruns this one.
        observer.reported(report(message.round()));
        round = message.round();
      }
      host.send(peer, sent);
    }
  }

  private boolean isServer(int peer) {
    return peer >= learners() && id < learners();
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
      } else if (plan.policy().missing() == FaultPolicy.Missing.GO_ON || host.isGone(senders[i])) {
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

  @Override
  public Optional<Message> receive(Duration timeout) throws InterruptedException {
    long begin = host.now();
    Message message = host.receiveTagged(deadline(begin, timeout));
    waitNanos += host.now() - begin;
    return Optional.ofNullable(message);
  }

  private static long deadline(long begin, Duration timeout) {
    long nanos = saturatedNanos(timeout);
    return nanos >= Host.NEVER - begin ? Host.NEVER : begin + nanos;
  }

  private static long saturatedNanos(Duration duration) {
    return duration.toSeconds() > Long.MAX_VALUE / 2_000_000_000L
        ? Host.NEVER
        : Math.max(0, duration.toNanos());
  }

  @Override
  public void evaluate(int round) throws InterruptedException {
    this.round = round;
    boolean average = observer.averageDue(id, round);
    boolean own = observer.evaluationDue(id, round);
    List<Metric> metrics = new ArrayList<>(0);
    if (average || own) {
      host.compute(() -> {
        long start = System.nanoTime();
        if (average) {
          averages.add(id, round, setup.learner());
        }
        if (own) {
          metrics.addAll(observer.evaluate(id, round, setup.learner()));
        }
        evaluateNanos += System.nanoTime() - start;
      });
    }
    averages.passed(id, round, host.now());
    for (Metric metric : metrics) {
      record(round, metric.name(), metric.value());
    }
    roundsFinished = Math.max(roundsFinished, round + 1);
    this.round = round + 1;
    if (observer.linksDue(round)) {
      tellLinks();
    }
    observer.roundFinished(report(round));
  }

  private NodeReport report(int round) {
    return new NodeReport(id, round, time(), trainLoss, traffic(), phases());
  }

  @Override
  public void record(int round, String metric, double value) {
    observer.record(id, round, metric, value, time());
  }
}
