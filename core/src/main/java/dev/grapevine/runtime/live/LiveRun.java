package dev.grapevine.runtime.live;

import dev.grapevine.message.Message;
import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EntryRounds;
import dev.grapevine.runtime.Hearsay;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run on the wall clock, or one worker's part of it: puts its nodes in their places and looks
 * after them until all have ended. How messages travel, who comes and goes, what is saved and
 * whether anything can still happen stand in classes of their own.
 */
final class LiveRun implements Cuts.Source {

  /** What models of later rounds may take of the heap, all nodes' mailboxes together. */
  private static final int PART_FOR_MAILBOXES = 4;

  private final ComputePool pool;
  private final long mailboxBytes;
  private final Endings endings;
  private final @Nullable Company company;
  private final SortedMap<Integer, LivePlace> places = new TreeMap<>();
  private final Lives lives;

  /** Nodes of this process that have not ended. */
  private final AtomicInteger living;

  private final EndedNodes ended;
  private final Goodbyes goodbyes = new Goodbyes(this::now);
  private final Cuts cuts;
  private final LiveCut cut;
  private final LiveMessages messages;
  private final LiveChurn churn;
  private final LiveWatch watch;
  private final boolean isInStep;
  private final AverageCollector averages;
  private final AverageEvaluation evaluation;
  private final Thread watchdog = Thread.currentThread();

  /** How long the run went before it was resumed. */
  private final long before;

  private final int firstRound;

  private long start;
  private volatile boolean stopping;

  LiveRun(
      Plan plan,
      Observer observer,
      ComputePool pool,
      Function<Inbox, Transport> transport,
      @Nullable Company company,
      long stallAfter) {
    this.pool = pool;
    this.mailboxBytes =
        Runtime.getRuntime().maxMemory() / PART_FOR_MAILBOXES / Math.max(1, plan.here().size());
    this.company = company;
    this.cuts = plan.saving().cuts();
    lives = new Lives(plan);
    Hearsay hearsay = new Hearsay(plan, lives);
    // Where nodes come and go, only a rest shows who is there at a cut.
    this.isInStep = plan.isInStep() && !lives.isUsed();
    Resumption from = plan.saving().from();
    before = from.moment().time();
    start = System.nanoTime() - before;
    endings = new Endings(plan, observer);
    evaluation = new AverageEvaluation(observer);
    endings.watch(evaluation);
    averages =
        new AverageCollector(
            plan.nodes(),
            plan.here().keySet().stream().mapToInt(Integer::intValue).toArray(),
            observer,
            company == null ? AverageCollector.evaluating(evaluation, pool) : company.averages());
    MessageCounts counts = new MessageCounts(company == null ? 1 : company.workers());
    ended = new EndedNodes(plan.nodes());
    cut =
        new LiveCut(
            cuts,
            pool,
            counts,
            goodbyes::areBeingSaid,
            ended::has,
            this::lookSoon,
            company,
            this::carryOut);
    living = new AtomicInteger(plan.here().size());
    messages =
        new LiveMessages(
            plan.nodes(),
            lives,
            hearsay,
            ended,
            counts,
            cut::lookSoonIfAwaited,
            this::isStopping,
            company,
            transport);
    churn =
        new LiveChurn(
            this,
            lives,
            places,
            ended,
            averages,
            observer,
            cut,
            new EntryRounds(plan, lives),
            hearsay,
            company);
    watch =
        new LiveWatch(
            places.values(),
            pool,
            counts,
            lives,
            ended,
            goodbyes,
            cut,
            churn,
            messages.transport(),
            this::now,
            stallAfter);
    ScratchPool scratches = new ScratchPool();
    for (int id : plan.here().keySet()) {
      LiveHost host = new LiveHost(id, this);
      messages.add(host);
      RunningNode node = new RunningNode(plan, host, observer, averages, scratches);
      places.put(id, new LivePlace(host, node, thread(id)));
      cut.add(host, node);
    }
    from.ended().forEach(this::endBefore);
    firstRound = from.firstRound();
    churn.begin(before, firstRound);
    SharedChurn shared = churn.shared();
    if (shared != null) {
      shared.begin();
    }
  }

  private boolean carryOut(Company.LifeOrder order) {
    SharedChurn shared = churn.shared();
    if (shared == null) {
      throw new IllegalStateException("nobody comes and goes: " + order);
    }
    return shared.carryOut(order);
  }

  /** The thread of a node's next life. */
  Thread thread(int id) {
    return Thread.ofVirtual().name("node-" + id).unstarted(() -> live(id));
  }

  private void endBefore(Resumption.EndedNode before) {
    int id = before.outcome().node();
    ended.add(id, false);
    averages.ended(id, now());
    lives.ended(id);
    if (before.told() || before.outcome().status() == NodeOutcome.Status.LEFT) {
      places.values().forEach(place -> place.host().hearGoodbye(id));
    }
    LivePlace place = places.get(id);
    if (place != null) {
      place.host().close();
      living.decrementAndGet();
    }
  }

  /** Runs it to its end. */
  Endings run() {
    try (messages;
        churn) {
      if (begin()) {
        cuts.begin(this);
        places
            .keySet()
            .forEach(id -> {
              if (!ended.has(id)) {
                churn.start(id);
              }
            });
        watchOver();
      }
    }
    return endings;
  }

  /** Waits for the others, if there are any; false if the run ended before it began. */
  private boolean begin() {
    start = System.nanoTime() - before;
    if (company == null) {
      return true;
    }
    try {
      SharedChurn shared = churn.shared();
      start = company.begin(watch::standing, shared == null ? List.of() : shared.ownLives());
      if (shared != null) {
        shared.meet(company.isBack(), firstRound);
      }
    } catch (InterruptedException e) {
      interrupted();
    }
    hearOthers();
    return !endings.hasEndedAlready();
  }

  private void watchOver() {
    boolean allEnded = false;
    boolean told = false;
    watch.begin();
    while (!isOver(allEnded) && !(stopping && watch.isHopeless(living.get()))) {
      try {
        allEnded = awaitNodes(allEnded);
        if (allEnded && !told && company != null) {
          company.nodesEnded();
          told = true;
        }
        if (!stopping) {
          // Nobody comes or goes while all are saved.
          synchronized (lives) {
            cut.look();
          }
        }
        if (!allEnded && !stopping) {
          lookForStalls();
        }
      } catch (InterruptedException e) {
        interrupted();
      }
      hearOthers();
      if (!allEnded && endings.hasEnded()) {
        stopAll();
      }
      if (stopping || churn.hasOnlyAbsentLeft()) {
        churn.leaveAbsentBehind();
      }
    }
  }

  private void lookForStalls() {
    if (company == null && watch.seesStall()) {
      endings.end(Outcome.Ending.STALLED, watch.describeWaits());
    }
    watch
        .seesEndless(living.get())
        .ifPresent(reason -> endings.end(Outcome.Ending.STALLED, reason));
    lives.futility().ifPresent(reason -> endings.end(Outcome.Ending.STALLED, reason));
  }

  private boolean awaitNodes(boolean allEnded) throws InterruptedException {
    // Where all have ended, others still work, and there is nothing to do here but to listen.
    if (allEnded || living.get() > 0) {
      LockSupport.parkNanos(this, LiveWatch.GLANCE);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return living.get() == 0;
  }

  /** Makes the watchdog look at once. */
  private void lookSoon() {
    LockSupport.unpark(watchdog);
  }

  private boolean isOver(boolean allEnded) {
    return allEnded && (company == null || company.isOver() || endings.hasEndedAlready());
  }

  private void interrupted() {
    endings.end(Outcome.Ending.INTERRUPTED, "the run was interrupted");
  }

  /** Passes on how the run ends, in whichever direction. */
  private void hearOthers() {
    if (company == null) {
      return;
    }
    Company.Verdict verdict = company.verdict();
    if (verdict != null) {
      endings.end(verdict.ending(), verdict.reason());
    } else if (endings.hasEnded()) {
      company.end(endings.verdict());
    }
  }

  /** Interrupts every node, again at every glance, until all have ended. */
  private void stopAll() {
    stopping = true;
    pool.stop();
    places.values().forEach(place -> place.thread().interrupt());
  }

  /** One life of a node. */
  private void live(int id) {
    LivePlace place = Objects.requireNonNull(places.get(id));
    NodeEnd end = place.node().run();
    boolean mayComeBack = false;
    churn.leaves();
    try {
      place.host().close();
      mayComeBack = churn.goesDown(place, end);
      if (!mayComeBack && !ended.has(id)) {
        enterEnd(place, end);
      }
    } finally {
      if (!mayComeBack) {
        living.decrementAndGet();
      }
      churn.hasLeft();
      lookSoon();
    }
  }

  /** Enters that and how a node has ended. */
  void enterEnd(LivePlace place, NodeEnd end) {
    int id = place.host().id();
    lives.ended(id);
    ended.add(id, end.status() == NodeOutcome.Status.FINISHED);
    if (endings.ended(place.node().outcome(end), end.silent())) {
      goodbyes.say(id, messages.transport());
    }
    if (endings.hasEnded()) {
      stopAll();
    }
  }

  /** A node that was down and whose end was entered does not come back. */
  void staysDown() {
    living.decrementAndGet();
    lookSoon();
  }

  @Override
  public Cuts.Moment moment() {
    return new Cuts.Moment(now(), OptionalLong.empty());
  }

  @Override
  public void whenRecorded(int round, Runnable then) {
    evaluation.whenRecorded(round, then);
  }

  /** A node begins to rest. */
  void rests(boolean isAtCut) {
    cut.rests(isAtCut);
  }

  long cuts() {
    return cut.taken();
  }

  boolean isInStep() {
    return isInStep;
  }

  Lives lives() {
    return lives;
  }

  LiveChurn churn() {
    return churn;
  }

  void send(int receiver, Message message) throws InterruptedException {
    messages.send(receiver, message);
  }

  /** A node of another process is up again, or down after all. */
  void isUpOrGone(int node) {
    messages.isUpOrGone(node);
  }

  void sendLater(int receiver, Message message, long delay) {
    messages.sendLater(receiver, message, delay);
  }

  /**
   * Whether all models are taken, of however late a round. One who has come back hears at once what
   * was said since it was saved; what it needs first may come after what it needs last.
   */
  boolean takesAllModels() {
    return company != null && company.isBack() && company.keepsMessages();
  }

  /** What models of later rounds may take in a mailbox before their senders have to wait. */
  long mailboxBytes() {
    return mailboxBytes;
  }

  boolean hasEnded(int[] nodes) {
    return ended.hasAny(nodes);
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
