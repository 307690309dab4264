package dev.grapevine.runtime;

import dev.grapevine.aggregation.Finite;
import dev.grapevine.engine.DivergedException;
import dev.grapevine.exchange.Desk;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Secrecy;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.MessageHandler;
import dev.grapevine.node.Node;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.fault.FaultInjection;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.NodeFailure;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A node of either runtime: all that does not depend on the clock. */
public final class RunningNode implements Node {

  private static final int LARGEST_TAG = Desk.FIRST_TAG - 1;

  private final int id;
  private final Plan plan;
  private final Host host;
  private final Observer observer;
  private final AverageCollector averages;
  private final Account account;
  private final Post post;
  private final @Nullable FaultInjection faults;
  private final Memory memory;
  private final Acquaintance acquaintance;

  /** What one life consists of. */
  private NodeSetup setup;

  private @Nullable SecretSum secret;
  private Exchange model;
  private @Nullable RandomGenerator random;
  private int channels;

  /** Where its present life begins; null while that is not known. */
  private @Nullable Entry entry;

  /** Whether it has to ask a neighbour for its model before it begins. */
  private boolean asksFirst;

  public RunningNode(
      Plan plan, Host host, Observer observer, AverageCollector averages, ScratchPool scratches) {
    this.id = host.id();
    this.plan = plan;
    this.setup = plan.setup(id);
    this.host = host;
    this.observer = observer;
    this.averages = averages;
    account = new Account(host);
    faults = FaultInjection.of(plan.faults().injected(), id, plan.seed(), observer::faultStruck);
    post = new Post(plan, host, observer, account, scratches, faults);
    Secrecy secrecy = setup.secrecy();
    secret = secrecy == null ? null : secrecy.at(new PostDesk(plan, host, account, post));
    model = open(setup.learner().parameters(), setup.encoding());
    entry = Entry.withoutRest(plan.saving().from().firstRound());
    acquaintance = new Acquaintance(plan, host, account, post);
    if (plan.saving().isUsed()) {
      declare();
    }
    memory = new Memory(setup.state(), host.lives().kept(id));
  }

  /**
   * Begins another life, which has nothing of the one before but what was counted.
   *
   * @param with what the node comes back with
   * @param entry where it begins; null if that is said later, by {@link #enter} or once it has
   *     asked a neighbour for its model
   */
  public void beginAnew(ComesBackWith with, @Nullable Entry entry) {
    BiFunction<Integer, State, NodeSetup> maker = plan.saving().maker();
    if (maker == null) {
      throw new IllegalStateException("nobody can make a node anew: node=" + id);
    }
    setup = maker.apply(id, memory.recalled(with));
    secret = null;
    random = null;
    channels = 0;
    model = open(setup.learner().parameters(), setup.encoding());
    memory.begin(setup.state());
    asksFirst = with == ComesBackWith.NEIGHBOUR;
    this.entry = entry;
  }

  /** Says where a life begins that has not begun yet. */
  public void enter(Entry where) {
    entry = where;
  }

  /** The round of its own that the node is in, or was when it went down; asked from anywhere. */
  public int ownRound() {
    return account.ownRound();
  }

  /** The round of its own that it has begun last, or is to begin; asked from anywhere. */
  public int begunRound() {
    return account.begun();
  }

  /** Passes on how many rounds it misses, to those who wait for averages too. */
  public void enterAt(Entry where, long now) {
    int round = where.firstRound();
    int missed = round - account.ownRound();
    host.lives().joined(id, missed);
    account.skipTo(round);
    if (where.rests()) {
      // It has yet to begin that round, like all others.
      account.begins(where.restsAfter());
    }
    host.beginAt(round);
    averages.passed(id, round - 1, now);
    observer.nodeIsBack(id, round, Math.max(0, missed));
    record(round, "restarts", host.lives().returns(id));
    record(round, "rounds_lost", host.lives().roundsLost(id));
  }

  private void declare() {
    State state = setup.state().part("node");
    account.declare(state);
    host.declare(state, () -> account.round() - 1);
    post.declare(state);
    if (host.lives().isUsed()) {
      host.lives().declare(id, state);
    }
    if (faults != null) {
      faults.declare(state.part("faults"));
    }
    averages.passed(id, firstRound() - 1, host.now());
  }

  /**
   * All that the node remembers, to be asked for and copied while it rests: vectors are its own.
   */
  public Map<String, State.Saved> view() {
    return host.lives().isDown(id)
        ? memory.view(host, host.lives().comesBackWith(id))
        : memory.view(host);
  }

  /** Runs the protocol to its end, whichever it is. Called once, on the node's own thread. */
  @SuppressWarnings("CatchingUnchecked") // whatever a node throws is the node's failure
  public NodeEnd run() {
    NodeEnd end;
    try {
      acquaintance.answerWhoAsks(setup.learner());
      enter();
      setup.protocol().run(this);
      if (secret != null) {
        secret.finish();
      }
      end = new NodeEnd(NodeOutcome.Status.FINISHED, "", false);
    } catch (InterruptedException | RunStopped | CancellationException stopped) {
      end = new NodeEnd(NodeOutcome.Status.STOPPED, "the run was stopped", false);
    } catch (NodeFailure failure) {
      end = new NodeEnd(NodeOutcome.Status.FAILED, describe(failure), failure.isSilent());
    } catch (Throwable thrown) {
      observer.thrown(id, account.round(), thrown);
      end = new NodeEnd(NodeOutcome.Status.FAILED, describe(thrown), false);
    }
    averages.ended(id, host.now());
    post.tellLinks();
    if (account.roundsFinished() == 0) {
      // A client of a server finishes no rounds of its own.
      tellSecrets(account.round());
      post.lost().ifPresent(lost -> record(account.round(), "messages_lost", lost));
    }
    return end;
  }

  /** Gets what a life begins with, and waits for where it does. */
  private void enter() throws InterruptedException {
    if (asksFirst) {
      asksFirst = false;
      acquaintance.ask(setup.learner(), setup.state());
      entry = host.join();
    }
    Entry from = entry;
    if (from == null) {
      throw new IllegalStateException("nobody has said where node %d begins".formatted(id));
    }
    // One that comes back in the same round may do so after this one, and is to be counted on.
    host.bringBackWhoIsDue(from.firstRound());
    if (from.rests()) {
      rest(from.restsAfter());
      begin(from.firstRound());
    }
  }

  private String describe(Throwable thrown) {
    return "node %d failed in round %d: %s".formatted(id, account.round(), FailureText.of(thrown));
  }

  /** The outcome, to be asked for once the node has ended and its mailbox is closed. */
  public NodeOutcome outcome(NodeEnd end) {
    return new NodeOutcome(
        id,
        end.status(),
        end.reason(),
        account.roundsFinished(),
        host.mailbox().unread(),
        account.traffic(),
        account.phases());
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public int nodes() {
    return plan.nodes();
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
  public int firstRound() {
    Entry from = entry;
    return from == null ? 0 : from.firstRound();
  }

  @Override
  public int returns(int peer) {
    return host.lives().returns(peer);
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
    return new Exchange(channels++, vector, encoding, setup.aggregator(), List.of(), post, secret);
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
    return plan.policy().missing() == FaultPolicy.Missing.WAIT ? FOREVER : plan.policy().deadline();
  }

  @Override
  public boolean isGone(int peer) {
    return host.isGone(peer, account.round());
  }

  @Override
  public void onMessage(int tag, MessageHandler handler) {
    requireTag(tag);
    host.onMessage(tag, message -> post.handle(message, handler));
  }

  @Override
  public void reject(int sender, MalformedPayloadException complaint) {
    post.reject(sender, complaint);
  }

  @Override
  public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    long begin = host.now();
    boolean holds = host.await(condition, deadline(begin, timeout));
    account.waitedSince(begin);
    return holds;
  }

  @Override
  public boolean awaitRequest(BooleanSupplier condition, Duration timeout)
      throws InterruptedException {
    memory.keepRound();
    account.beginWait();
    boolean holds = host.awaitRequest(condition, saturatedNanos(timeout));
    account.endWait();
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
          Stopwatch watch = new Stopwatch();
          double loss = work.getAsDouble();
          account.trained(loss, watch);
          requireFinite(setup.learner().parameters());
        },
        account.beginTraining(),
        delay);
    return account.trainLoss();
  }

  /** Others would refuse it and blame this node; it knows better what has happened. */
  private static void requireFinite(float[] parameters) {
    if (!Finite.all(parameters, 0, parameters.length)) {
      throw new DivergedException(
          "the model is not finite after training; lower the learning rate or clip gradients");
    }
  }

  @Override
  public <T> T compute(Supplier<T> work) throws InterruptedException {
    List<T> result = new ArrayList<>(1);
    host.compute(() -> result.add(work.get()));
    return result.getFirst();
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
    post.send(peer, new Message(id, tag, round, payload));
  }

  @Override
  public Duration sendingFor() {
    return Duration.ofNanos(host.sendingFor());
  }

  private static void requireTag(int tag) {
    if (tag <= Message.EXCHANGE || tag > LARGEST_TAG) {
      throw new IllegalArgumentException(
          "tag must be from 1 to %d: tag=%d".formatted(LARGEST_TAG, tag));
    }
  }

  @Override
  public Optional<Message> receive(Duration timeout) throws InterruptedException {
    long begin = host.now();
    Message message = host.receiveTagged(deadline(begin, timeout));
    account.waitedSince(begin);
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
    account.isIn(round);
    boolean average = observer.averageDue(id, round);
    boolean own = observer.evaluationDue(id, round);
    List<Metric> metrics = new ArrayList<>(0);
    if (average || own) {
      host.evaluate(() -> {
        Stopwatch watch = new Stopwatch();
        if (average) {
          averages.add(id, round, setup.learner());
        }
        if (own) {
          metrics.addAll(observer.evaluate(id, round, setup.learner()));
        }
        account.evaluated(watch);
      });
    }
    averages.passed(id, round, host.now());
    for (Metric metric : metrics) {
      record(round, metric.name(), metric.value());
    }
    recordLosses(round);
    account.finished(round);
    if (observer.linksDue(round)) {
      post.tellLinks();
      tellSecrets(round);
    }
    observer.roundFinished(account.report(round));
    acquaintance.answerAll();
    memory.keepRound();
    host.endRound(round);
    if (plan.saving().cuts().due(round)) {
      save(round);
    }
    begin(round + 1);
  }

  private void begin(int round) {
    if (host.lives().isUsed()) {
      host.lives().whileNobodyEnters(() -> account.begins(round));
    }
  }

  /** Records what is missing of a run in which something goes wrong on purpose. */
  private void recordLosses(int round) {
    post.lost().ifPresent(lost -> record(round, "messages_lost", lost));
    Lives lives = host.lives();
    if (lives.isUsed()) {
      lives
          .aliveAfter(round)
          .ifPresent(
              alive -> observer.record(Observer.AVERAGE, round, "nodes_alive", alive, time()));
    }
  }

  private void save(int round) throws InterruptedException {
    if (host.savesInPassing()) {
      plan.saving().cuts().save(round, id, view());
    } else {
      rest(round);
    }
  }

  private void rest(int round) throws InterruptedException {
    account.beginWait();
    host.awaitCut(round);
    account.endWait();
  }

  /** Records how it went with what is kept secret: sums since the beginning of the run. */
  private void tellSecrets(int round) {
    if (secret != null) {
      secret.figures().forEach((name, value) -> record(round, name, value));
    }
  }

  @Override
  public void record(int round, String metric, double value) {
    observer.record(id, round, metric, value, time());
  }
}
