package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.MessageHandler;
import dev.grapevine.state.State;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node stands on: a clock, a mailbox, a way out and compute threads. Times are in ns. How a
 * node waits, runs its handlers meanwhile and is stopped is the same on every clock and stands
 * here; a clock adds how time passes.
 */
public abstract class Host {

  /** A deadline that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  /** What a node waits for. */
  protected enum Wait {
    NOTHING,
    SLEEP,
    /** Short work; no handler runs meanwhile. */
    WORK,
    TRAINING,
    MODELS,
    TAGGED,
    CONDITION,
    /** The next request, on a node without rounds of its own; it may be saved meanwhile. */
    REQUEST,
    /** The others, at the end of a round after which all are saved. */
    CUT;

    /** Whether it ends when the protocol says so. */
    public boolean isOnCondition() {
      return this == CONDITION || this == REQUEST;
    }

    /** Whether all that the node remembers is in its state. */
    public boolean isRest() {
      return this == REQUEST || this == CUT;
    }
  }

  private static final BooleanSupplier TIME_ONLY = () -> false;

  /** How often a protocol may ignore that it was stopped. */
  private static final int PATIENCE = 1000;

  private final int id;
  private final Mailbox mailbox = new Mailbox();
  private @Nullable Map<Integer, MessageHandler> handlers;
  private Wait wait = Wait.NOTHING;

  /** What the node waited for last; handlers run while it does. */
  private Wait lastWait = Wait.NOTHING;

  /** When the present wait ends at the latest. */
  private long deadline = NEVER;

  private int cutRound;
  private int ignoredStops;

  /** Whether the node goes down: its present life ends as soon as it does anything. */
  private volatile boolean goesDown;

  protected Host(int id) {
    this.id = id;
  }

  /** The node's number. */
  public final int id() {
    return id;
  }

  /** Counters of what arrived; exact once the node has ended. */
  public final Mailbox mailbox() {
    return mailbox;
  }

  /** Time since the run began. */
  public abstract long now();

  /**
   * Runs a round's training on a compute thread, and handlers meanwhile.
   *
   * @param training how often the node has trained before
   * @param delay how much longer than usual it takes
   */
  public abstract void train(Runnable work, int training, long delay) throws InterruptedException;

  /** Runs work on a compute thread; takes virtual time only where that is measured. */
  public abstract void compute(Runnable work) throws InterruptedException;

  /** Runs an evaluation on a compute thread; takes no virtual time. */
  public void evaluate(Runnable work) throws InterruptedException {
    compute(work);
  }

  /** Lets virtual time pass, as if the node had worked so long; no time on a wall clock. */
  public void spend(long nanos) throws InterruptedException {}

  /**
   * @param delay how long the message is held back first, while the node goes on
   */
  public abstract void send(int peer, Message message, long delay) throws InterruptedException;

  /** How long the node's uplink is still busy with what it was given, as far as is known. */
  public long sendingFor() {
    return 0;
  }

  protected abstract boolean isStopping();

  /** Which nodes are up. */
  protected abstract Lives lives();

  /** Lets a node come back that does so now that someone begins {@code round}. */
  protected abstract void bringBack(int node, int round);

  /** The same for nodes elsewhere. */
  protected void askForWhoIsDue(int round) {}

  /** The node is about to begin a round that nodes elsewhere may miss. */
  protected void begins(int round) {}

  /** Takes part again, once the node has what it comes back with; tells all others. */
  public abstract Entry join() throws InterruptedException;

  /** Whether one of the nodes has ended. */
  protected abstract boolean hasEnded(int[] nodes);

  /**
   * Lets time pass until the node may be able to go on, at most until the deadline. May be less;
   * returns true if the node has to park until it {@link #hasTurn}.
   */
  protected abstract boolean pause(long until) throws InterruptedException;

  /** Whether the node may go on, on a clock that lets one at a time. */
  protected boolean hasTurn() {
    return true;
  }

  /** Keeps other threads out of the mailbox, on a clock that lets them in. */
  protected void lock() {}

  /** Lets them in again. */
  protected void unlock() {}

  public final void sleep(long nanos) throws InterruptedException {
    checkStopped();
    waitFor(Wait.SLEEP, TIME_ONLY, saturatedAdd(now(), nanos));
  }

  /** Waits until the condition holds, asking after each handled message; false at the deadline. */
  public final boolean await(BooleanSupplier condition, long until) throws InterruptedException {
    checkStopped();
    return waitFor(Wait.CONDITION, condition, until);
  }

  /**
   * The same on a node without rounds of its own. When the nodes have been saved meanwhile, the
   * wait begins anew, as it does where the run is resumed from there.
   */
  public final boolean awaitRequest(BooleanSupplier condition, long nanos)
      throws InterruptedException {
    checkStopped();
    while (true) {
      long cuts = cuts();
      if (!waitFor(
          Wait.REQUEST,
          () -> condition.getAsBoolean() || cuts() != cuts,
          saturatedAdd(now(), nanos))) {
        return false;
      }
      if (condition.getAsBoolean()) {
        return true;
      }
    }
  }

  /** Waits, while handlers run, until all nodes are at rest and have been saved. */
  public final void awaitCut(int round) throws InterruptedException {
    checkStopped();
    cutRound = round;
    long cuts = cuts();
    waitFor(Wait.CUT, () -> cuts() != cuts, NEVER);
  }

  /** The round at whose end the node waited last to be saved. */
  public final int cutRound() {
    return cutRound;
  }

  /** How often all nodes have been saved while they rested. */
  protected abstract long cuts();

  /** Whether nodes are saved as they pass the end of a round, without resting. */
  public abstract boolean savesInPassing();

  /** Declares what the node's place knows of it. */
  protected void declare(State state, IntSupplier lastRound) {
    if (lives().isUsed()) {
      mailbox.declareReturns(state);
    }
    mailbox.declare(state, lastRound, !savesInPassing());
  }

  /** What the node remembers; it rests or calls this itself. */
  Map<String, State.Saved> view(State state) {
    lock();
    try {
      // A node that rests before it begins has not declared all that it was given yet.
      return state.everything();
    } finally {
      unlock();
    }
  }

  /** The round's payload of each sender, null for those that are missing at the deadline. */
  public final @Nullable Payload[] receive(int[] from, int channel, int round, long until)
      throws InterruptedException {
    checkStopped();
    lock();
    try {
      if (!mailbox.await(from, channel, round)) {
        waitUntil(Wait.MODELS, mailbox::isComplete, until);
      }
      return mailbox.take(round);
    } finally {
      unlock();
    }
  }

  /** The next tagged message; null when none came until the deadline. */
  public final @Nullable Message receiveTagged(long until) throws InterruptedException {
    checkStopped();
    lock();
    try {
      mailbox.tagged().await(true);
      waitUntil(Wait.TAGGED, () -> mailbox.tagged().hasAsked(), until);
      mailbox.tagged().await(false);
      return mailbox.tagged().pollAsked();
    } finally {
      unlock();
    }
  }

  /** Whether {@code peer} is known to say nothing more, to a node that is in {@code round}. */
  public final boolean isGone(int peer, int round) {
    lock();
    try {
      return mailbox.isSilent(peer, round);
    } finally {
      unlock();
    }
  }

  /** Whether nothing of {@code round} comes from {@code peer} any more. */
  final boolean isMissing(int peer, int round) {
    lock();
    try {
      return mailbox.isGone(peer, round);
    } finally {
      unlock();
    }
  }

  /** The node has finished a round: others may be back now, and it may go down itself. */
  public final void endRound(int round) throws InterruptedException {
    if (lives().isUsed()) {
      bringBackWhoIsDue(round + 1);
      begins(round + 1);
      goesDown |= lives().goesDownBefore(id, round + 1);
      checkStopped();
    }
  }

  /** Lets those come back that do so now that someone begins {@code round}. */
  final void bringBackWhoIsDue(int round) {
    if (lives().isUsed()) {
      lives().dueBack(round).forEach(node -> bringBack(node, round));
      askForWhoIsDue(round);
    }
  }

  /** Makes the node go down; whatever it does next throws. */
  protected final void goDown() {
    goesDown = true;
  }

  /** Whether the node was made to go down. */
  public final boolean goesDown() {
    return goesDown;
  }

  /**
   * Begins another life: nothing is left of the one before but what was counted.
   *
   * @param round the first round that it takes part in
   */
  protected final void beginAnew(int round) {
    lock();
    try {
      goesDown = false;
      ignoredStops = 0;
      wait = Wait.NOTHING;
      deadline = NEVER;
      handlers = null;
      mailbox.beginAnew(round);
    } finally {
      unlock();
    }
  }

  /** Waits for nothing of a round before. */
  final void beginAt(int round) {
    lock();
    try {
      mailbox.beginAt(round);
    } finally {
      unlock();
    }
  }

  /** Waits, at rest, until it is known where the node begins. */
  protected final void awaitEntry(BooleanSupplier isKnown) throws InterruptedException {
    waitFor(Wait.REQUEST, isKnown, NEVER);
  }

  /** Whether all that the node remembers is in its state now. */
  final boolean isAtRest() {
    return lastWait.isRest();
  }

  /**
   * Gives messages with {@code tag} to a handler, on the node's own thread, while the node trains,
   * sleeps or waits for messages.
   */
  public final void onMessage(int tag, MessageHandler handler) {
    lock();
    try {
      if (handlers == null) {
        handlers = new HashMap<>();
      }
      handlers.put(tag, handler);
      mailbox.tagged().handle(tag);
    } finally {
      unlock();
    }
  }

  /** Waits until {@code done} holds, running handlers meanwhile; false when the deadline passes. */
  protected final boolean waitFor(Wait reason, BooleanSupplier done, long until)
      throws InterruptedException {
    lock();
    try {
      return waitUntil(reason, done, until);
    } finally {
      unlock();
    }
  }

  /** The one loop in which a node waits; the lock is held. */
  private boolean waitUntil(Wait reason, BooleanSupplier done, long until)
      throws InterruptedException {
    lastWait = reason;
    mailbox.awaitsCondition(reason.isOnCondition());
    while (true) {
      if (reason != Wait.WORK) {
        runHandlers();
      }
      if (done.getAsBoolean()) {
        break;
      }
      if (now() >= until) {
        mailbox.awaitsCondition(false);
        return false;
      }
      checkStopped();
      wait = reason;
      deadline = until;
      if (pause(until)) {
        // Parks here and not deeper: what a waiting node costs is the stack it keeps.
        while (!hasTurn()) {
          LockSupport.park();
          // An interrupted thread never parks: without clearing, this loop would spin.
          Thread.interrupted();
        }
      }
      wait = Wait.NOTHING;
      deadline = NEVER;
      checkStopped();
    }
    mailbox.awaitsCondition(false);
    return true;
  }

  /** Runs the handlers of what has arrived, without the lock, since they may send. */
  private void runHandlers() throws InterruptedException {
    for (Message message = mailbox.tagged().pollHandled();
        message != null;
        message = mailbox.tagged().pollHandled()) {
      MessageHandler handler = handlers == null ? null : handlers.get(message.tag());
      if (handler != null) {
        unlock();
        try {
          handler.handle(message);
        } finally {
          lock();
        }
      }
    }
  }

  /** Throws if the run is being stopped, in the end something that a protocol cannot ignore. */
  protected final void checkStopped() throws InterruptedException {
    if (goesDown || isStopping()) {
      if (++ignoredStops > PATIENCE) {
        throw new RunStopped();
      }
      throw new InterruptedException("the run was stopped");
    }
  }

  protected final Wait waitsFor() {
    return wait;
  }

  protected final long deadline() {
    return deadline;
  }

  /** Says in words what the node waits for. */
  public void describeWait(Waits waits) {
    switch (wait) {
      case MODELS -> {
        int[] missing = mailbox.missing();
        waits.add(
            "node %d waits for %s in round %d"
                .formatted(id, Waits.nodes(missing), mailbox.awaitedRound()),
            hasEnded(missing));
      }
      case CUT ->
          waits.add("node %d waits for all to be saved at the end of a round".formatted(id), false);
      case TAGGED, CONDITION, REQUEST ->
          waits.add("node %d waits for any message".formatted(id), false);
      case NOTHING, SLEEP, WORK, TRAINING ->
          waits.add("node %d has not ended".formatted(id), false);
    }
  }

  /** The sum, or {@link #NEVER} where there is none. */
  protected static long saturatedAdd(long time, long nanos) {
    return time > NEVER - nanos ? NEVER : time + nanos;
  }
}
