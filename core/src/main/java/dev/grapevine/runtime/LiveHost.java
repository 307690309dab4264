package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.MessageHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A node's place in a live run. Deliveries come from any thread, all else from the node's own. */
final class LiveHost implements Host {

  /** How many tagged messages wait in a mailbox before their senders have to wait. */
  private static final int TAGGED_LIMIT = 4096;

  /** How often a protocol may ignore that it was stopped. */
  private static final int PATIENCE = 1000;

  private enum Wait {
    NOTHING,
    MODELS,
    TAGGED,
    CONDITION
  }

  private final int id;
  private final LiveRun run;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition roomy = lock.newCondition();
  private final Mailbox mailbox = new Mailbox();
  private final Map<Integer, MessageHandler> handlers = new HashMap<>();
  private Wait wait = Wait.NOTHING;
  private boolean waitsForEver;
  private boolean ended;
  private int ignoredStops;
  private volatile int sendingTo = -1;

  LiveHost(int id, LiveRun run) {
    this.id = id;
    this.run = run;
  }

  @Override
  public Mailbox mailbox() {
    return mailbox;
  }

  @Override
  public boolean isGone(int peer) {
    lock.lock();
    try {
      return mailbox.isGone(peer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long now() {
    return run.now();
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    checkStopped();
    if (handlers.isEmpty()) {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } else {
      long now = now();
      waitFor(Wait.NOTHING, () -> false, nanos > NEVER - now ? NEVER : now + nanos);
    }
  }

  @Override
  public void train(Runnable work, int training, long delay) throws InterruptedException {
    if (handlers.isEmpty()) {
      compute(work);
    } else {
      checkStopped();
      ComputeTask task = run.pool().submit(work, 0);
      task.whenEnded(this::signal);
      waitFor(Wait.NOTHING, task::hasEnded, NEVER);
      task.rethrow();
    }
    if (delay > 0) {
      sleep(delay);
    }
  }

  @Override
  public void compute(Runnable work) throws InterruptedException {
    checkStopped();
    ComputeTask task = run.pool().submit(work, 0);
    task.joinInterruptibly();
    task.rethrow();
  }

  @Override
  public void onMessage(int tag, MessageHandler handler) {
    lock.lock();
    try {
      handlers.put(tag, handler);
      mailbox.handle(tag);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean await(BooleanSupplier condition, long deadline) throws InterruptedException {
    checkStopped();
    return waitFor(Wait.CONDITION, condition, deadline);
  }

  @Override
  public void send(int peer, Message message) throws InterruptedException {
    checkStopped();
    sendingTo = peer;
    run.send(peer, message);
    sendingTo = -1;
  }

  @Override
  public @Nullable Payload[] receive(int[] from, int round, long deadline)
      throws InterruptedException {
    checkStopped();
    lock.lockInterruptibly();
    try {
      if (!mailbox.await(from, round)) {
        waitFor(Wait.MODELS, mailbox::isComplete, deadline);
      }
      return mailbox.take(round);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Message receiveTagged(long deadline) throws InterruptedException {
    checkStopped();
    lock.lockInterruptibly();
    try {
      waitFor(Wait.TAGGED, () -> mailbox.taggedCount() > 0, deadline);
      roomy.signal();
      return mailbox.pollTagged();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until {@code done} holds, running handlers meanwhile; false when the deadline passes. */
  private boolean waitFor(Wait reason, BooleanSupplier done, long deadline)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        runHandlers();
        if (done.getAsBoolean()) {
          return true;
        }
        begin(reason, deadline);
        boolean inTime = waitUntil(deadline);
        end();
        if (!inTime) {
          runHandlers();
          return done.getAsBoolean();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs the handlers of what has arrived, without the lock, since they may send. */
  private void runHandlers() throws InterruptedException {
    for (Message message = mailbox.pollHandled();
        message != null;
        message = mailbox.pollHandled()) {
      MessageHandler handler = handlers.get(message.tag());
      int holds = lock.getHoldCount();
      for (int i = 0; i < holds; i++) {
        lock.unlock();
      }
      try {
        if (handler != null) {
          handler.handle(message);
        }
      } finally {
        for (int i = 0; i < holds; i++) {
          lock.lock();
        }
      }
    }
  }

  private void signal() {
    lock.lock();
    try {
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  private void begin(Wait reason, long deadline) {
    wait = reason;
    waitsForEver = deadline == NEVER;
    mailbox.awaitTagged(reason == Wait.TAGGED);
  }

  private void end() {
    wait = Wait.NOTHING;
    waitsForEver = false;
    mailbox.awaitTagged(false);
  }

  /** Waits for a signal; false when the deadline has passed. */
  @SuppressWarnings("WaitNotInLoop") // the callers loop
  private boolean waitUntil(long deadline) throws InterruptedException {
    if (deadline == NEVER) {
      arrived.await();
      return true;
    }
    return arrived.awaitNanos(deadline - run.now()) > 0;
  }

  void deliver(Message message) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (message.tag() != Message.MODEL
          && !mailbox.isHandled(message.tag())
          && mailbox.taggedCount() >= TAGGED_LIMIT
          && !ended) {
        roomy.await();
      }
      if (!ended && mailbox.put(message)) {
        arrived.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  void hearGoodbye(int peer) {
    lock.lock();
    try {
      if (mailbox.gone(peer)) {
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

  /** Whether nothing but a message can make this node go on. */
  boolean isStuck() {
    if (sendingTo >= 0) {
      return true;
    }
    lock.lock();
    try {
      return ended
          || (waitsForEver
              && !mailbox.hasHandled()
              && switch (wait) {
                case MODELS -> !mailbox.isComplete();
                case TAGGED -> mailbox.taggedCount() == 0;
                case CONDITION -> true;
                case NOTHING -> false;
              });
    } finally {
      lock.unlock();
    }
  }

  void describeWait(Waits waits) {
    lock.lock();
    try {
      if (sendingTo >= 0) {
        waits.add("node %d waits for room at node %d".formatted(id, sendingTo), false);
      } else if (wait == Wait.MODELS) {
        int[] missing = mailbox.missing();
        waits.add(
            "node %d waits for %s in round %d"
                .formatted(id, Waits.nodes(missing), mailbox.awaitedRound()),
            run.hasEnded(missing));
      } else if (wait == Wait.TAGGED || wait == Wait.CONDITION) {
        waits.add("node %d waits for any message".formatted(id), false);
      } else {
        waits.add("node %d has not ended".formatted(id), false);
      }
    } finally {
      lock.unlock();
    }
  }

  private void checkStopped() throws InterruptedException {
    if (run.isStopping()) {
      if (++ignoredStops > PATIENCE) {
        throw new RunStopped();
      }
      throw new InterruptedException("the run was stopped");
    }
  }
}
