package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.MessageHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
    TRAINING,
    MODELS,
    TAGGED,
    CONDITION
  }

  private static final BooleanSupplier TIME_ONLY = () -> false;

  /** How often a protocol may ignore that it was stopped. */
  private static final int PATIENCE = 1000;

  private final int id;
  private final Simulation simulation;
  private final Mailbox mailbox = new Mailbox();
  private @Nullable Map<Integer, MessageHandler> handlers;
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
    wait = Wait.NOTHING;
    try {
      simulation.ended(id, simulation.node(id).run());
    } finally {
      ended = true;
      simulation.setDeaf(id, true);
      simulation.passOn();
    }
  }

  @Override
  public long now() {
    return simulation.now();
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    waitFor(Wait.SLEEP, TIME_ONLY, saturatedAdd(now(), nanos));
  }

  @Override
  public void train(Runnable work, int training, long delay) throws InterruptedException {
    checkStopped();
    ComputeModel model = simulation.computeModel();
    long duration = model.measures() ? 0 : model.duration(id, training, 0) + delay;
    ComputeTask task = work(work, duration, Wait.TRAINING);
    if (model.measures()) {
      sleep(model.duration(id, training, task.nanos()) + delay);
    }
  }

  @Override
  public void compute(Runnable work) throws InterruptedException {
    checkStopped();
    work(work, 0, Wait.WORK);
  }

  private ComputeTask work(Runnable work, long duration, Wait reason) throws InterruptedException {
    long end = saturatedAdd(now(), duration);
    ComputeTask task = simulation.pool().submit(work, end);
    TaskEnd taskEnd = new TaskEnd(this, task);
    simulation.push(end, taskEnd);
    waitFor(reason, taskEnd::hasHappened, NEVER);
    task.rethrow();
    return task;
  }

  @Override
  public void onMessage(int tag, MessageHandler handler) {
    if (handlers == null) {
      handlers = new HashMap<>();
    }
    handlers.put(tag, handler);
    mailbox.handle(tag);
  }

  @Override
  public boolean await(BooleanSupplier condition, long deadline) throws InterruptedException {
    checkStopped();
    return waitFor(Wait.CONDITION, condition, deadline);
  }

  /**
   * Waits until {@code done} holds, running handlers meanwhile unless for short work; false when
   * the deadline passes.
   */
  private boolean waitFor(Wait reason, BooleanSupplier done, long until)
      throws InterruptedException {
    while (true) {
      if (reason != Wait.WORK) {
        runHandlers();
      }
      if (done.getAsBoolean()) {
        return true;
      }
      if (now() >= until) {
        return false;
      }
      checkStopped();
      wait = reason;
      deadline = until;
      if (until != NEVER) {
        setTimer(until);
      }
      if (simulation.passOn(this)) {
        // Parks here and not deeper: what a waiting node costs is the stack it keeps.
        while (!hasBaton) {
          LockSupport.park();
          // An interrupted thread never parks: without clearing, this loop would spin.
          Thread.interrupted();
        }
      }
      wait = Wait.NOTHING;
      deadline = NEVER;
      checkStopped();
    }
  }

  private void runHandlers() throws InterruptedException {
    for (Message message = mailbox.pollHandled();
        message != null;
        message = mailbox.pollHandled()) {
      MessageHandler handler = handlers == null ? null : handlers.get(message.tag());
      if (handler != null) {
        handler.handle(message);
      }
    }
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
      waitFor(Wait.MODELS, mailbox::isComplete, deadline);
    }
    return mailbox.take(round);
  }

  @Override
  public @Nullable Message receiveTagged(long deadline) throws InterruptedException {
    checkStopped();
    mailbox.awaitTagged(true);
    waitFor(Wait.TAGGED, () -> mailbox.taggedCount() > 0, deadline);
    mailbox.awaitTagged(false);
    return mailbox.pollTagged();
  }

  /** Whether the node can go on because of a message for which its mailbox would wake it. */
  boolean isWokenBy(int tag) {
    return switch (wait) {
      case MODELS, TAGGED -> true;
      case SLEEP, TRAINING, CONDITION -> mailbox.isHandled(tag);
      case START, NOTHING, WORK -> false;
    };
  }

  boolean isAway() {
    return away;
  }

  /** Comes or goes; returns itself if it has to catch up on something. */
  @Nullable SimulatedHost setAway(boolean nowAway) {
    away = nowAway;
    simulation.setDeaf(id, away || ended);
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
      case TAGGED, CONDITION -> waits.add("node %d waits for any message".formatted(id), false);
      case START, NOTHING, SLEEP, WORK, TRAINING ->
          waits.add("node %d has not ended".formatted(id), false);
    }
  }

  private static long saturatedAdd(long a, long b) {
    return a > NEVER - b ? NEVER : a + b;
  }
}
