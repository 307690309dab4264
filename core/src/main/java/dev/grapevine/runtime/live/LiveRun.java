package dev.grapevine.runtime.live;

import dev.grapevine.message.Message;
import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.compute.Carriers;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One run on the wall clock. */
final class LiveRun implements Inbox {

  private static final System.Logger LOG = System.getLogger(LiveRun.class.getName());

  /** How often the watchdog looks, in ms. */
  private static final long GLANCE = 50;

  /** How long a goodbye may be on its way over a busy machine, in ns. */
  private static final long GOODBYE_TRAVEL = 5_000_000_000L;

  private final long start = System.nanoTime();
  private final ComputePool pool;
  private final Endings endings;
  private final Transport transport;
  private final long stallAfter;
  private final List<LiveHost> hosts;
  private final List<RunningNode> nodes;
  private final List<Thread> threads;
  private final CountDownLatch living;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final boolean[] hasEnded;
  private final AtomicInteger goodbyes = new AtomicInteger();
  private volatile long lastGoodbye = -GOODBYE_TRAVEL;
  private volatile boolean stopping;

  LiveRun(
      Plan plan,
      Observer observer,
      ComputePool pool,
      Function<Inbox, Transport> transport,
      long stallAfter) {
    this.pool = pool;
    this.stallAfter = stallAfter;
    int count = plan.nodes().size();
    endings = new Endings(plan.policy(), observer, count);
    AverageCollector averages = new AverageCollector(count, observer, pool);
    endings.watch(averages);
    ScratchPool scratches = new ScratchPool();
    hosts = new ArrayList<>(count);
    nodes = new ArrayList<>(count);
    threads = new ArrayList<>(count);
    hasEnded = new boolean[count];
    living = new CountDownLatch(count);
    this.transport = transport.apply(this);
    for (int id = 0; id < count; id++) {
      int number = id;
      LiveHost host = new LiveHost(id, this);
      hosts.add(host);
      nodes.add(new RunningNode(plan, host, observer, averages, scratches));
      threads.add(Thread.ofVirtual().name("node-" + id).unstarted(() -> live(number)));
    }
  }

  /** Runs it to its end. */
  Endings run() {
    try (transport) {
      threads.forEach(Thread::start);
      boolean allEnded = false;
      Watch watch = new Watch();
      EndlessWork endless = new EndlessWork();
      while (!allEnded && !isHopeless(endless)) {
        try {
          allEnded = living.await(GLANCE, TimeUnit.MILLISECONDS);
          if (!allEnded && !stopping && watch.seesStall()) {
            endings.end(Outcome.Ending.STALLED, describeWaits());
          }
          if (!allEnded && !stopping) {
            lookForEndless(endless);
          }
        } catch (InterruptedException e) {
          endings.end(Outcome.Ending.INTERRUPTED, "the run was interrupted");
        }
        if (!allEnded && endings.hasEnded()) {
          stopAll();
        }
      }
    }
    return endings;
  }

  private long progress() {
    return settled.get() + pool.completed() - living.getCount();
  }

  /** Ends a run in which nothing happens but that own code computes. */
  private void lookForEndless(EndlessWork endless) {
    if (endless.quietFor(progress(), now()) > stallAfter) {
      endless.forgive(now());
      endlessNode()
          .ifPresent(culprit ->
              endings.end(Outcome.Ending.STALLED, EndlessWork.reason(culprit, stallAfter)));
    }
  }

  /** Whether own code goes on and on although the run was stopped; then it is left behind. */
  private boolean isHopeless(EndlessWork endless) {
    if (!stopping
        || endless.quietFor(progress(), now()) < EndlessWork.GRACE
        || endlessNode().isEmpty()) {
      return false;
    }
    pool.abandon();
    Carriers.replace(
        (int)
            IntStream.range(0, hosts.size())
                .filter(
                    id -> EndlessWork.holdsCarrier(id, hosts.get(id).computing(), threads.get(id)))
                .count());
    return true;
  }

  private Optional<String> endlessNode() {
    for (int id = 0; id < hosts.size(); id++) {
      if (threads.get(id).isAlive()) {
        Optional<String> culprit =
            EndlessWork.describe(id, hosts.get(id).computing(), threads.get(id));
        if (culprit.isPresent()) {
          return culprit;
        }
      }
    }
    return Optional.empty();
  }

  /** Interrupts every node, again at every glance, until all have ended. */
  private void stopAll() {
    stopping = true;
    pool.stop();
    threads.forEach(Thread::interrupt);
  }

  private void live(int id) {
    try {
      RunningNode node = nodes.get(id);
      NodeEnd end = node.run();
      hosts.get(id).close();
      synchronized (hasEnded) {
        hasEnded[id] = true;
      }
      if (endings.ended(node, end)) {
        goodbyes.incrementAndGet();
        transport.sayGoodbye(id);
        lastGoodbye = now();
        goodbyes.decrementAndGet();
      }
      if (endings.hasEnded()) {
        stopAll();
      }
    } finally {
      living.countDown();
    }
  }

  void send(int receiver, Message message) throws InterruptedException {
    sent.incrementAndGet();
    try {
      transport.send(receiver, message);
    } catch (IOException e) {
      settled.incrementAndGet();
      LOG.log(
          stopping ? Level.DEBUG : Level.WARNING,
          "message from node {0} to node {1} is lost: {2}",
          message.sender(),
          receiver,
          e.getMessage());
    }
  }

  @Override
  public void deliver(int receiver, Message message) throws InterruptedException {
    hosts.get(receiver).deliver(message);
    settled.incrementAndGet();
  }

  @Override
  public void gone(int receiver, int peer) {
    hosts.get(receiver).hearGoodbye(peer);
  }

  @Override
  public void refused(int receiver, int peer, String reason) {
    LOG.log(
        Level.WARNING,
        "node {0} closed its link with node {1}: {2}",
        receiver,
        peer < 0 ? "?" : peer,
        reason);
  }

  /** Looks whether anything can still happen. */
  private final class Watch {

    private long lastProgress = -1;
    private long since;

    boolean seesStall() {
      long progress = settled.get();
      long begun = sent.get();
      boolean stuck = pool.pending() == 0 && hosts.stream().allMatch(LiveHost::isStuck);
      // A message that came while we looked may have freed a node that we saw stuck before.
      boolean still = progress == settled.get() && begun == sent.get();
      if (progress != lastProgress || !stuck || !still) {
        lastProgress = progress;
        since = now();
        return false;
      }
      // Goodbyes are not counted as messages, yet those who wait for one are not stuck.
      boolean onTheWay =
          begun != progress || goodbyes.get() > 0 || now() - lastGoodbye < GOODBYE_TRAVEL;
      return !onTheWay || now() - since > stallAfter;
    }
  }

  private String describeWaits() {
    Waits waits = new Waits();
    for (int id = 0; id < hosts.size(); id++) {
      if (!hasEnded(new int[] {id})) {
        hosts.get(id).describeWait(waits);
      }
    }
    return waits.report();
  }

  boolean hasEnded(int[] ids) {
    synchronized (hasEnded) {
      for (int id : ids) {
        if (hasEnded[id]) {
          return true;
        }
      }
      return false;
    }
  }

  long now() {
    return System.nanoTime() - start;
  }

  ComputePool pool() {
    return pool;
  }

  boolean isStopping() {
    return stopping;
  }
}
