package dev.grapevine.runtime.live;

import dev.grapevine.message.Message;
import dev.grapevine.runtime.Entry;
import dev.grapevine.runtime.Host;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Mailbox;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.compute.ComputeTask;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A node's place in a live run. Deliveries come from any thread, all else from the node's own. */
final class LiveHost extends Host {

  /** How many messages of a sort wait in a mailbox before their senders have to wait. */
  private static final int LIMIT = 4096;

  private final LiveRun run;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition roomy = lock.newCondition();
  private boolean ended;
  private boolean awaitsEntry;

  /** After which of the run's cuts it came to rest: one that was saved has yet to wake up. */
  private long restsSince;

  private volatile int sendingTo = -1;
  private volatile @Nullable ComputeTask computing;

  LiveHost(int id, LiveRun run) {
    super(id);
    this.run = run;
  }

  @Override
  public long now() {
    return run.now();
  }

  @Override
  protected boolean isStopping() {
    return run.isStopping();
  }

  @Override
  protected long cuts() {
    return run.cuts();
  }

  @Override
  public boolean savesInPassing() {
    return run.isInStep();
  }

  /** Whether it has ended, or waits with all that it remembers in its state. */
  boolean rests() {
    lock.lock();
    try {
      return ended
          || awaitsEntry
          || (waitsFor().isRest() && restsSince == run.cuts() && !mailbox().tagged().hasHandled());
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected Lives lives() {
    return run.lives();
  }

  @Override
  protected void bringBack(int node, int round) {
    run.churn().bringBack(node, round);
  }

  @Override
  protected void askForWhoIsDue(int round) {
    SharedChurn shared = run.churn().shared();
    if (shared != null) {
      shared.askForWhoIsDue(round);
    }
  }

  @Override
  protected void begins(int round) {
    SharedChurn shared = run.churn().shared();
    if (shared != null) {
      shared.begins(round);
    }
  }

  @Override
  public Entry join() throws InterruptedException {
    SharedChurn shared = run.churn().shared();
    if (shared == null) {
      return run.churn().join(id(), Entry.ANY_ROUND);
    }
    shared.askToJoin(id());
    awaitEntry(() -> shared.hasEntry(id()));
    return shared.takeEntry(id());
  }

  /** Whether it takes messages already, but has yet to be told where it begins. */
  void awaitsEntry(boolean awaits) {
    lock.lock();
    try {
      awaitsEntry = awaits;
    } finally {
      lock.unlock();
    }
  }

  /** Goes down as soon as it notices; what it computes or sends just now it ends first. */
  void beGone() {
    goDown();
    signal();
  }

  /** Whether it waits for all to be saved, and has not been woken yet. */
  boolean isAtCut() {
    lock.lock();
    try {
      return waitsFor() == Wait.CUT && restsSince == run.cuts();
    } finally {
      lock.unlock();
    }
  }

  /** Begins another life, and takes messages again. */
  void comeBack() {
    ComputeTask left = computing;
    if (left != null) {
      // It may still tell what it did.
      left.join();
      computing = null;
    }
    beginAnew(0);
    lock.lock();
    try {
      ended = false;
      restsSince = -1;
    } finally {
      lock.unlock();
    }
  }

  /** Hears that {@code peer} is back, from {@code round} on. */
  void hearReturn(int peer, int round) {
    lock.lock();
    try {
      mailbox().back(peer, round);
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Learns that {@code peer} took no message because it has finished. */
  void noteFinished(int peer) {
    lock.lock();
    try {
      mailbox().finished(peer);
    } finally {
      lock.unlock();
    }
  }

  /** Whether it waited for an answer of one who has finished, and is told now. */
  boolean isAbandoned() {
    lock.lock();
    try {
      boolean isNews = !ended && waitsFor().isOnCondition() && mailbox().tellFinished();
      if (isNews) {
        arrived.signal();
      }
      return isNews;
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected boolean hasEnded(int[] nodes) {
    return run.hasEnded(nodes);
  }

  @Override
  protected void lock() {
    lock.lock();
  }

  /** Whoever had the lock may have taken something out, and so made room. */
  @Override
  protected void unlock() {
    roomy.signalAll();
    lock.unlock();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // the caller loops
  protected boolean pause(long until) throws InterruptedException {
    roomy.signalAll();
    if (waitsFor().isRest()) {
      restsSince = run.cuts();
      run.rests(waitsFor() == Wait.CUT);
    }
    if (until == NEVER) {
      arrived.await();
    } else {
      arrived.awaitNanos(until - now());
    }
    return false;
  }

  @Override
  public void train(Runnable work, int training, long delay) throws InterruptedException {
    checkStopped();
    ComputeTask task = run.pool().submit(work, 0);
    computing = task;
    task.whenEnded(this::signal);
    waitFor(Wait.TRAINING, task::hasEnded, NEVER);
    computing = null;
    task.rethrow();
    if (delay > 0) {
      sleep(delay);
    }
  }

  @Override
  public void compute(Runnable work) throws InterruptedException {
    checkStopped();
    ComputeTask task = run.pool().submit(work, 0);
    computing = task;
    task.joinInterruptibly();
    computing = null;
    task.rethrow();
  }

  @Override
  public void send(int peer, Message message, long delay) throws InterruptedException {
    checkStopped();
    if (delay > 0) {
      run.sendLater(peer, message, delay);
      return;
    }
    sendingTo = peer;
    try {
      run.send(peer, message);
    } finally {
      sendingTo = -1;
    }
  }

  /** Lets the node look again at what it waits for. */
  void signal() {
    lock.lock();
    try {
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  void deliver(Message message) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!ended && !hasRoom(message)) {
        roomy.await();
      }
      if (!ended && mailbox().put(message)) {
        arrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(Message message) {
    return (message.tag() == Message.EXCHANGE && run.takesAllModels())
        || mailbox().hasRoom(message.tag(), message.round(), LIMIT, run.mailboxBytes());
  }

  /** Like {@link #deliver}, but false where that would wait. */
  boolean offer(Message message) {
    lock.lock();
    try {
      if (!ended && !hasRoom(message)) {
        return false;
      }
      if (!ended && mailbox().put(message)) {
        arrived.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  void hearGoodbye(int peer) {
    hearGoodbye(peer, 0);
  }

  /** Hears that {@code peer} says nothing any more, of the round {@code from} or later ones. */
  void hearGoodbye(int peer, int from) {
    hearAbsence(peer, from, Mailbox.FOR_GOOD);
  }

  /** The same of one who is there again in the round {@code until}. */
  void hearAbsence(int peer, int from, int until) {
    lock.lock();
    try {
      // Whoever waits for a condition may wait for this very peer.
      if (mailbox().gone(peer, from, until) || waitsFor().isOnCondition()) {
        arrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing from now on. */
  void close() {
    lock.lock();
    try {
      ended = true;
      roomy.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it takes nothing any more. */
  boolean isClosed() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether nothing but a message can make this node go on.
   *
   * @param mayLackRoom whether messages are on their way: otherwise one who sends does not wait for
   *     room, but has yet to notice that what it sent was taken
   */
  boolean isStuck(boolean mayLackRoom) {
    if (sendingTo >= 0) {
      return mayLackRoom;
    }
    lock.lock();
    try {
      return ended || (deadline() == NEVER && !mailbox().tagged().hasHandled() && lacksMessage());
    } finally {
      lock.unlock();
    }
  }

  private boolean lacksMessage() {
    Mailbox mailbox = mailbox();
    return switch (waitsFor()) {
      case MODELS -> !mailbox.isComplete();
      case TAGGED -> !mailbox.tagged().hasAsked();
      case CONDITION -> true;
      case REQUEST, CUT -> restsSince == run.cuts();
      case NOTHING, SLEEP, WORK, TRAINING -> false;
    };
  }

  /** The work that the node waits for, if it does; also of a node that was stopped meanwhile. */
  @Nullable ComputeTask computing() {
    return computing;
  }

  @Override
  public void describeWait(Waits waits) {
    lock.lock();
    try {
      if (sendingTo >= 0) {
        waits.add("node %d waits for room at node %d".formatted(id(), sendingTo), false);
      } else {
        super.describeWait(waits);
      }
    } finally {
      lock.unlock();
    }
  }
}
