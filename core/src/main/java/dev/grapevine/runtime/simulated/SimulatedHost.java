package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.Entry;
import dev.grapevine.runtime.Host;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.compute.ComputeModel;
import dev.grapevine.runtime.compute.ComputeTask;
import dev.grapevine.state.State;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's place in a simulation. As an event, it is the node's timer. All methods are called by
 * whoever holds the baton.
 */
final class SimulatedHost extends Host implements Event, Runnable {

  private final Simulation simulation;
  private volatile Thread thread;
  private volatile boolean hasBaton;
  private boolean started;
  private boolean ended;
  private volatile @Nullable ComputeTask computing;
  private boolean rests;
  private boolean isDown;

  /** The earliest entry of this timer in the queue. */
  private long timer = NEVER;

  private long messagesSent;
  private @Nullable Payload lastPayload;
  private int lastChecksum;

  SimulatedHost(int id, Simulation simulation) {
    super(id);
    this.simulation = simulation;
    thread = thread();
  }

  private Thread thread() {
    return Thread.ofVirtual().name("node-" + id()).unstarted(this);
  }

  /** Where the node computes in own code, if it does; asked from outside the simulation. */
  Optional<String> endlessWork() {
    return thread.isAlive() ? EndlessWork.describe(id(), computing, thread) : Optional.empty();
  }

  /** Whether its thread is lost to code that does not end; asked from outside the simulation. */
  boolean holdsCarrier() {
    return EndlessWork.holdsCarrier(id(), computing, thread);
  }

  boolean hasEnded() {
    return ended;
  }

  /** The node had ended before the run was saved, or will not come back. */
  void endBefore() {
    ended = true;
    isDown = false;
  }

  /** Whether it waits for an answer of one who has finished, and has not been told yet. */
  boolean isAbandoned() {
    return !ended && !isDown && waitsFor().isOnCondition() && mailbox().tellFinished();
  }

  /** Whether it waits with all that it remembers in its state. */
  boolean rests() {
    return rests;
  }

  /** Whether it rests until all are saved. */
  boolean isAtCut() {
    return rests && waitsFor() == Wait.CUT;
  }

  /** It is called, and rests no longer. */
  void endRest() {
    rests = false;
  }

  /** The nodes have been saved: a rest is over, and the queue that knew its timer is gone. */
  void beginAnew() {
    rests = false;
    timer = NEVER;
  }

  @Override
  protected long cuts() {
    return simulation.cuts();
  }

  /** A virtual clock stands still while all are saved, so that it costs no node a wait. */
  @Override
  public boolean savesInPassing() {
    return false;
  }

  @Override
  protected void declare(State state, IntSupplier lastRound) {
    super.declare(state, lastRound);
    state.value("ordinal", () -> messagesSent, saved -> messagesSent = saved);
  }

  @Override
  protected boolean hasEnded(int[] nodes) {
    return simulation.hasEnded(nodes);
  }

  @Override
  protected boolean isStopping() {
    return simulation.isStopping();
  }

  @Override
  protected Lives lives() {
    return simulation.lives();
  }

  @Override
  protected void bringBack(int node, int round) {
    simulation.absences().bringBack(node, round);
  }

  @Override
  public Entry join() {
    return simulation.absences().join(id(), Entry.ANY_ROUND);
  }

  @Override
  public void run() {
    try {
      simulation.lifeEnded(id(), simulation.node(id()).run());
    } finally {
      ended |= !isDown;
      simulation.wires().setDeaf(id(), true);
      simulation.passOn();
    }
  }

  /** Goes down as soon as it gets its turn, which it is to get now. */
  SimulatedHost beGone() {
    goDown();
    return this;
  }

  boolean isDown() {
    return isDown;
  }

  /** It is down where the run begins. */
  void beginDown() {
    isDown = true;
  }

  /** Waits for work that its last life has left behind, which may still tell what it did. */
  void awaitWork() {
    ComputeTask left = computing;
    if (left != null) {
      left.join();
      computing = null;
    }
  }

  /** Begins another life. */
  void comeBack() {
    beginAnew(0);
    isDown = false;
    started = false;
    timer = NEVER;
    rests = false;
    thread = thread();
  }

  @Override
  public long now() {
    return simulation.now();
  }

  @Override
  protected boolean pause(long until) {
    if (until != NEVER) {
      setTimer(until);
    }
    if (waitsFor().isRest()) {
      rests = true;
      simulation.comesToRest(this);
    }
    return simulation.passOn(this);
  }

  @Override
  protected boolean hasTurn() {
    return hasBaton;
  }

  @Override
  public void train(Runnable work, int training, long delay) throws InterruptedException {
    checkStopped();
    ComputeModel model = simulation.computeModel();
    long duration = model.measures() ? 0 : model.duration(id(), training, 0) + delay;
    ComputeTask task = work(work, duration, Wait.TRAINING);
    if (model.measures()) {
      sleep(model.duration(id(), training, task.nanos(), now()) + delay);
    }
  }

  @Override
  public void compute(Runnable work) throws InterruptedException {
    checkStopped();
    ComputeTask task = work(work, 0, Wait.WORK);
    ComputeModel model = simulation.computeModel();
    if (model.measures()) {
      // Not asleep: as on a wall clock, no handler comes in between.
      work(() -> {}, model.duration(id(), 0, task.nanos(), now()), Wait.WORK);
    }
  }

  @Override
  public void evaluate(Runnable work) throws InterruptedException {
    checkStopped();
    work(work, 0, Wait.WORK);
  }

  private ComputeTask work(Runnable work, long duration, Wait reason) throws InterruptedException {
    long end = saturatedAdd(now(), duration);
    ComputeTask task = simulation.pool().submit(work, end);
    computing = task;
    TaskEnd taskEnd = new TaskEnd(this, task);
    simulation.push(end, taskEnd);
    waitFor(reason, taskEnd::hasHappened, NEVER);
    computing = null;
    task.rethrow();
    return task;
  }

  @Override
  public void spend(long nanos) throws InterruptedException {
    if (nanos > 0) {
      sleep(nanos);
    }
  }

  @Override
  public void send(int peer, Message message, long delay) throws InterruptedException {
    checkStopped();
    Payload payload = message.payload();
    if (payload != lastPayload) {
      lastPayload = payload;
      lastChecksum = payload.checksum();
    }
    long ordinal = messagesSent++;
    int incarnation = lives().incarnation(id(), peer);
    if (delay == 0) {
      simulation.wires().send(peer, message, lastChecksum, ordinal, incarnation);
    } else {
      int checksum = lastChecksum;
      simulation
          .wires()
          .sendLater(
              saturatedAdd(now(), delay),
              () -> simulation.wires().send(peer, message, checksum, ordinal, incarnation));
    }
  }

  @Override
  public long sendingFor() {
    return simulation.wires().sendingFor(id());
  }

  /** Whether the node can go on because of a message for which its mailbox would wake it. */
  boolean isWokenBy(int tag) {
    return switch (waitsFor()) {
      case MODELS, TAGGED -> true;
      case SLEEP, TRAINING, CONDITION, REQUEST, CUT -> mailbox().tagged().isHandled(tag);
      case NOTHING, WORK -> false;
    };
  }

  /** Hears that {@code peer} will send no more; true if the node can go on. */
  boolean hearGoodbye(int peer) {
    // Whoever waits for a condition may wait for this very peer.
    boolean isAll = !ended && mailbox().gone(peer);
    return (isAll && waitsFor() == Wait.MODELS) || (!ended && waitsFor().isOnCondition());
  }

  /** Whether the node can go on because of what became of a peer. */
  boolean isWokenByPeer() {
    return !ended
        && !isDown
        && ((waitsFor() == Wait.MODELS && mailbox().isComplete()) || waitsFor().isOnCondition());
  }

  /** The timer fires. It is set again when the wait it was set for was replaced by a longer one. */
  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    if (!started) {
      return this;
    }
    if (timer != simulation.now()) {
      return null;
    }
    timer = NEVER;
    if (ended || isDown || deadline() == NEVER) {
      return null;
    }
    if (deadline() > simulation.now()) {
      setTimer(deadline());
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

  @Override
  public void describeWait(Waits waits) {
    if (isDown) {
      waits.add("node %d is down".formatted(id()), true);
    } else {
      super.describeWait(waits);
    }
  }
}
