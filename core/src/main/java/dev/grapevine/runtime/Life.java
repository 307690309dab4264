package dev.grapevine.runtime;

import dev.grapevine.aggregation.Finite;
import dev.grapevine.engine.DivergedException;
import dev.grapevine.exchange.Desk;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.MessageHandler;
import dev.grapevine.node.Node;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.fault.FaultInjection;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One life of a node, as its protocol sees it: the door to all that it may do, and what is its own
 * until the life is over. A node that comes back gets another.
 */
final class Life implements Node {

  private static final int LARGEST_TAG = Desk.FIRST_TAG - 1;

  private final Plan plan;
  private final Host host;
  private final Observer observer;
  private final Account account;
  private final Post post;
  private final @Nullable FaultInjection faults;
  private final Memory memory;
  private final RoundEnd roundEnd;
  private final NodeSetup setup;
  private final @Nullable SecretSum secret;
  private final Exchange model;
  private @Nullable RandomGenerator random;
  private int channels;

  /** Where it begins; null while that is not known. */
  private @Nullable Entry entry;

  Life(
      Plan plan,
      Host host,
      Observer observer,
      Account account,
      Post post,
      @Nullable FaultInjection faults,
      Memory memory,
      RoundEnd roundEnd,
      NodeSetup setup,
      @Nullable SecretSum secret,
      @Nullable Entry entry) {
    this.plan = plan;
    this.host = host;
    this.observer = observer;
    this.account = account;
    this.post = post;
    this.faults = faults;
    this.memory = memory;
    this.roundEnd = roundEnd;
    this.setup = setup;
    this.secret = secret;
    this.entry = entry;
    model = open(setup.learner().parameters(), setup.encoding());
  }

  /** Says where it begins. */
  void enter(Entry where) {
    entry = where;
  }

  /** Where it begins; null while that is not known. */
  @Nullable Entry entry() {
    return entry;
  }

  /** What is kept secret in it; null if nothing is. */
  @Nullable SecretSum secret() {
    return secret;
  }

  /** Runs the protocol to its end, whichever it is. */
  void live() throws InterruptedException {
    setup.protocol().run(this);
    if (secret != null) {
      secret.finish();
    }
  }

  @Override
  public int id() {
    return host.id();
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
    Entry where = entry;
    return where == null ? 0 : where.firstRound();
  }

  @Override
  public int returns(int peer) {
    return host.lives().returns(peer);
  }

  @Override
  public RandomGenerator random() {
    if (random == null) {
      random =
          setup.state().stream("protocol-random", RandomStreams.of(plan.seed(), id(), "protocol"));
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
    return id() < learners() ? plan.topology().neighbours(id(), round) : Neighbourhood.alone(id());
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
    if (peer < 0 || peer >= nodes() || peer == id()) {
      throw new IllegalArgumentException(
          "no such peer: peer=%d, node=%d, nodes=%d".formatted(peer, id(), nodes()));
    }
    if (round < 0) {
      throw new IllegalArgumentException("round must not be negative: round=" + round);
    }
    post.send(peer, new Message(id(), tag, round, payload));
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
    roundEnd.pass(round, setup.learner(), secret);
  }

  @Override
  public void record(int round, String metric, double value) {
    observer.record(id(), round, metric, value, time());
  }
}
