package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A node's place in a simulation. As an event, it is the node's timer. All methods are called by
 * whoever holds the baton.
 */
final class SimulatedHost implements Host, Event, Runnable {

  /** What the node waits for. */
  private enum Wait {
    START,
    NOTHING,
    SLEEP,
    WORK,
    MODELS,
    TAGGED
  }

  /** How often a protocol may ignore that it was stopped. */
  private static final int PATIENCE = 1000;

  private final int id;
  private final Simulation simulation;
  private final Mailbox mailbox = new Mailbox();
  private final Thread thread;
  private volatile boolean hasBaton;
  private Wait wait = Wait.START;
  private boolean started;
  private boolean ended;
  private boolean away;
  private boolean calledWhileAway;

  /** When the present wait ends at the latest. */
  private long deadline = NEVER;

  /** The earliest entry of this timer in the queue. */
  private long timer = NEVER;

  private int ignoredStops;
  private long messagesSent;
  private @Nullable Payload lastPayload;
  private int lastChecksum;

  SimulatedHost(int id, Simulation simulation) {
    this.id = id;
    this.simulation = simulation;
    thread = Thread.ofVirtual().name("node-" + id).unstarted(this);
  }

  int id() {
    return id;
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public Mailbox mailbox() {
    return mailbox;
  }

  @Override
  public boolean isGone(int peer) {
    return mailbox.isGone(peer);
  }

  @Override
  public void run() {
    waitForBaton();
    simulation.live(id);
    ended = true;
    simulation.passOn();
  }

  @Override
  public long now() {
    return simulation.now();
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    block(Wait.SLEEP, saturatedAdd(now(), nanos));
  }

  @Override
  public void train(Runnable work, int training, long delay) throws InterruptedException {
    checkStopped();
    ComputeModel model = simulation.computeModel();
    long duration = model.measures() ? 0 : model.duration(id, training, 0) + delay;
    ComputeTask task = work(work, duration);
    if (model.measures()) {
      sleep(model.duration(id, training, task.nanos()) + delay);
    }
  }

  @Override
  public void compute(Runnable work) throws InterruptedException {
    checkStopped();
    work(work, 0);
  }

  private ComputeTask work(Runnable work, long duration) throws InterruptedException {
    long end = saturatedAdd(now(), duration);
    ComputeTask task = simulation.pool().submit(work, end);
    simulation.push(end, new TaskEnd(this, task));
    block(Wait.WORK, NEVER);
    task.rethrow();
    return task;
  }

  @Override
  public void send(int peer, Message message) throws InterruptedException {
    checkStopped();
    Payload payload = message.payload();
    if (payload != lastPayload) {
      lastPayload = payload;
      lastChecksum = payload.checksum();
    }
    simulation.send(peer, message, lastChecksum, messagesSent++);
  }

  @Override
  public @Nullable Payload[] receive(int[] from, int round, long deadline)
      throws InterruptedException {
    checkStopped();
    if (!mailbox.await(from, round)) {
      block(Wait.MODELS, deadline);
    }
    return mailbox.take(round);
  }

  @Override
  public @Nullable Message receiveTagged(long deadline) throws InterruptedException {
    checkStopped();
    if (mailbox.taggedCount() == 0) {
      mailbox.awaitTagged(true);
      block(Wait.TAGGED, deadline);
      mailbox.awaitTagged(false);
    }
    return mailbox.pollTagged();
  }

  /** Takes an arriving message; true if the node can go on. */
  boolean deliver(Message message) {
    if (ended || away) {
      return false;
    }
    return mailbox.put(message) && (wait == Wait.MODELS || wait == Wait.TAGGED);
  }

  boolean isAway() {
    return away;
  }

  /** Comes or goes; returns itself if it has to catch up on something. */
  @Nullable SimulatedHost setAway(boolean nowAway) {
    away = nowAway;
    if (away || !calledWhileAway || ended) {
      return null;
    }
    calledWhileAway = false;
    return this;
  }

  /** Whether the node is away just when it could go on; it will when it is back. */
  boolean isAwayWhenCalled() {
    calledWhileAway |= away;
    return away;
  }

  /** Hears that {@code peer} will send no more; true if the node can go on. */
  boolean hearGoodbye(int peer) {
    return !ended && mailbox.gone(peer) && wait == Wait.MODELS;
  }

  /** The timer fires. It is set again when the wait it was set for was replaced by a longer one. */
  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    if (wait == Wait.START) {
      return this;
    }
    if (timer != simulation.now()) {
      return null;
    }
    timer = NEVER;
    if (ended || deadline == NEVER) {
      return null;
    }
    if (deadline > simulation.now()) {
      setTimer(deadline);
      return null;
    }
    return this;
  }

  private void setTimer(long at) {
    if (at < timer) {
      timer = at;
      simulation.push(at, this);
    }
  }

  private void block(Wait reason, long until) throws InterruptedException {
    checkStopped();
    wait = reason;
    deadline = until;
    if (until != NEVER) {
      setTimer(until);
    }
    simulation.passOn(this);
    wait = Wait.NOTHING;
    deadline = NEVER;
    checkStopped();
  }

  private void checkStopped() throws InterruptedException {
    if (simulation.isStopping()) {
      if (++ignoredStops > PATIENCE) {
        throw new RunStopped();
      }
      throw new InterruptedException("the run was stopped");
    }
  }

  /** Gives the baton to this node. The caller must touch nothing of the simulation afterwards. */
  void resume() {
    hasBaton = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
  }

  /** To be called before someone else can resume this node. */
  void dropBaton() {
    hasBaton = false;
  }

  void waitForBaton() {
    while (!hasBaton) {
      LockSupport.park(this);
      // An interrupted thread never parks: without clearing, this loop would spin.
      Thread.interrupted();
    }
    wait = wait == Wait.START ? Wait.NOTHING : wait;
  }

  void describeWait(Waits waits) {
    if (away) {
      waits.add("node %d has left".formatted(id), true);
      return;
    }
    switch (wait) {
      case MODELS -> {
        int[] missing = mailbox.missing();
        waits.add(
            "node %d waits for %s in round %d"
                .formatted(id, Waits.nodes(missing), mailbox.awaitedRound()),
            simulation.hasEnded(missing));
      }
      case TAGGED -> waits.add("node %d waits for any message".formatted(id), false);
      case START, NOTHING, SLEEP, WORK -> waits.add("node %d has not ended".formatted(id), false);
    }
  }

  private static long saturatedAdd(long a, long b) {
    return a > NEVER - b ? NEVER : a + b;
  }
}
