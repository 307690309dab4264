package dev.grapevine.runtime.live;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.compute.Carriers;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run on the wall clock, or one worker's part of it. */
final class LiveRun implements Inbox, Cuts.Source {

  private static final System.Logger LOG = System.getLogger(LiveRun.class.getName());

  /** How often the watchdog looks, in ns. */
  private static final long GLANCE = 50_000_000L;

  /** How long a goodbye may be on its way over a busy machine, in ns. */
  private static final long GOODBYE_TRAVEL = 5_000_000_000L;

  private final ComputePool pool;
  private final Endings endings;
  private final Transport transport;
  private final @Nullable Company company;
  private final long stallAfter;
  private final SortedMap<Integer, Place> places = new TreeMap<>();
  private final Lives lives;
  private final Observer observer;
  private final @Nullable LiveHost[] hosts;

  /** Nodes of this process that have not ended. */
  private final AtomicInteger living;

  /** Nodes whose threads have ended, and whose end has not been entered yet. */
  private final AtomicInteger leaving = new AtomicInteger();

  /** Whether a node has come to the end of its protocol, by number. */
  private final AtomicIntegerArray hasFinished;

  private final ExecutorService heldBack = Executors.newVirtualThreadPerTaskExecutor();

  /** Lets nodes go down and come back when it is time. */
  private final ScheduledExecutorService planned =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("churn").factory());

  private final MessageCounts counts;
  private final boolean[] hasEnded;
  private final AtomicInteger goodbyes = new AtomicInteger();
  private final Cuts cuts;
  private final LiveCut cut;
  private final boolean isInStep;
  private final AverageCollector averages;
  private final AverageEvaluation evaluation;
  private final Thread watchdog = Thread.currentThread();

  /** How long the run went before it was resumed. */
  private final long before;

  private long start;
  private volatile long lastGoodbye;
  private volatile boolean stopping;

  /** A node of this process and what it stands on; every life has a thread of its own. */
  private static final class Place {
    private final LiveHost host;
    private final RunningNode node;
    private volatile Thread thread;

    Place(LiveHost host, RunningNode node, Thread thread) {
      this.host = host;
      this.node = node;
      this.thread = thread;
    }

    LiveHost host() {
      return host;
    }

    RunningNode node() {
      return node;
    }

    Thread thread() {
      return thread;
    }
  }

  LiveRun(
      Plan plan,
      Observer observer,
      ComputePool pool,
      Function<Inbox, Transport> transport,
      @Nullable Company company,
      long stallAfter) {
    this.pool = pool;
    this.company = company;
    this.stallAfter = stallAfter;
    this.cuts = plan.saving().cuts();
    this.observer = observer;
    lives = new Lives(plan);
    // Where nodes come and go, only a rest shows who is there at a cut.
    this.isInStep = plan.isInStep() && !lives.isUsed();
    Resumption from = plan.saving().from();
    before = from.moment().time();
    start = System.nanoTime() - before;
    lastGoodbye = now() - GOODBYE_TRAVEL;
    int count = plan.nodes();
    endings = new Endings(plan, observer);
    evaluation = new AverageEvaluation(observer);
    endings.watch(evaluation);
    averages =
        new AverageCollector(
            count,
            plan.here().keySet().stream().mapToInt(Integer::intValue).toArray(),
            observer,
            company == null ? AverageCollector.evaluating(evaluation, pool) : company.averages());
    ScratchPool scratches = new ScratchPool();
    int workers = company == null ? 1 : company.workers();
    counts = new MessageCounts(workers);
    cut =
        new LiveCut(
            cuts,
            pool,
            counts,
            () -> goodbyes.get() > 0,
            id -> hasEnded(new int[] {id}),
            this::lookSoon,
            company);
    hosts = new @Nullable LiveHost[count];
    hasEnded = new boolean[count];
    hasFinished = new AtomicIntegerArray(count);
    living = new AtomicInteger(plan.here().size());
    this.transport = transport.apply(this);
    for (int id : plan.here().keySet()) {
      LiveHost host = new LiveHost(id, this);
      hosts[id] = host;
      RunningNode node = new RunningNode(plan, host, observer, averages, scratches);
      places.put(id, new Place(host, node, thread(id)));
      cut.add(host, node);
    }
    from.ended().forEach(this::endBefore);
    if (lives.isUsed()) {
      lives.begin(before, from.firstRound());
      places.forEach((id, place) -> {
        if (lives.isDown(id) && !hasEnded[id]) {
          place.host().close();
          tellGone(id);
        }
      });
    }
  }

  private Thread thread(int id) {
    return Thread.ofVirtual().name("node-" + id).unstarted(() -> live(id));
  }

  private void endBefore(Resumption.EndedNode ended) {
    int id = ended.outcome().node();
    hasEnded[id] = true;
    averages.ended(id, now());
    lives.ended(id);
    if (ended.told() || ended.outcome().status() == NodeOutcome.Status.LEFT) {
      places.values().forEach(place -> place.host().hearGoodbye(id));
    }
    if (hosts[id] != null) {
      host(id).close();
      living.decrementAndGet();
    }
  }

  /** Runs it to its end. */
  Endings run() {
    try (transport) {
      if (begin()) {
        cuts.begin(this);
        places.forEach((id, place) -> {
          if (!hasEnded[id]) {
            if (lives.isUsed()) {
              plan(id);
            }
            if (!lives.isDown(id)) {
              place.thread().start();
            }
          }
        });
        watchOver();
      }
      planned.shutdownNow();
      heldBack.shutdownNow();
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
      start = company.begin(this::standing);
    } catch (InterruptedException e) {
      interrupted();
    }
    hearOthers();
    return !endings.hasEndedAlready();
  }

  private void watchOver() {
    boolean allEnded = false;
    boolean told = false;
    Watch watch = new Watch();
    EndlessWork endless = new EndlessWork();
    while (!isOver(allEnded) && !isHopeless(endless)) {
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
          if (company == null && watch.seesStall() && !isAnyoneAbandoned()) {
            endings.end(Outcome.Ending.STALLED, describeWaits());
          }
          lookForEndless(endless);
        }
      } catch (InterruptedException e) {
        interrupted();
      }
      hearOthers();
      if (!allEnded && endings.hasEnded()) {
        stopAll();
      }
      if (stopping || hasOnlyAbsentLeft()) {
        leaveAbsentBehind();
      }
    }
  }

  /** Whether all who have not ended are down, and nobody is left whom they could come back to. */
  private boolean hasOnlyAbsentLeft() {
    if (!lives.isUsed() || !lives.isNobodyUp() || leaving.get() > 0) {
      return false;
    }
    for (int id : places.keySet()) {
      if (hasFinished.get(id) != 0) {
        return true;
      }
    }
    return !lives.awaitsSomeone(now()) && lives.firstBack() < 0;
  }

  /** Enters the end of all who are down. */
  private void leaveAbsentBehind() {
    if (lives.isUsed()) {
      synchronized (lives) {
        places.forEach((id, place) -> {
          if (lives.isDown(id) && !hasEnded(new int[] {id})) {
            staysDown(id, "node %d was down when the run ended".formatted(id));
          }
        });
      }
    }
  }

  private boolean awaitNodes(boolean allEnded) throws InterruptedException {
    // Where all have ended, others still work, and there is nothing to do here but to listen.
    if (allEnded || living.get() > 0) {
      LockSupport.parkNanos(this, GLANCE);
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

  @Override
  public Cuts.Moment moment() {
    return new Cuts.Moment(now(), OptionalLong.empty());
  }

  @Override
  public void whenRecorded(int round, Runnable then) {
    evaluation.whenRecorded(round, then);
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

  private long progress() {
    return counts.allSettled() + pool.completed() - living.get();
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
            places.entrySet().stream()
                .filter(at ->
                    EndlessWork.holdsCarrier(
                        at.getKey(), at.getValue().host().computing(), at.getValue().thread()))
                .count());
    return true;
  }

  private Optional<String> endlessNode() {
    return places.entrySet().stream()
        .filter(at -> at.getValue().thread().isAlive())
        .flatMap(at ->
            EndlessWork.describe(
                at.getKey(), at.getValue().host().computing(), at.getValue().thread())
                .stream())
        .findFirst();
  }

  /** Interrupts every node, again at every glance, until all have ended. */
  private void stopAll() {
    stopping = true;
    pool.stop();
    places.values().forEach(place -> place.thread().interrupt());
  }

  private void live(int id) {
    Place place = place(id);
    NodeEnd end = place.node().run();
    boolean mayComeBack = false;
    leaving.incrementAndGet();
    try {
      place.host().close();
      mayComeBack = goesDown(place, end);
      if (!mayComeBack && !hasEnded(new int[] {id})) {
        enterEnd(place, end);
      }
    } finally {
      if (!mayComeBack) {
        living.decrementAndGet();
      }
      leaving.decrementAndGet();
      lookSoon();
    }
  }

  private void enterEnd(Place place, NodeEnd end) {
    int id = place.host().id();
    hasFinished.set(id, end.status() == NodeOutcome.Status.FINISHED ? 1 : 0);
    lives.ended(id);
    markEnded(id);
    if (endings.ended(place.node().outcome(end), end.silent())) {
      goodbyes.incrementAndGet();
      transport.sayGoodbye(id);
      lastGoodbye = now();
      goodbyes.decrementAndGet();
    }
    if (endings.hasEnded()) {
      stopAll();
    }
  }

  Lives lives() {
    return lives;
  }

  /** Whether a node whose life has ended is down now, and not at its end. */
  private boolean goesDown(Place place, NodeEnd end) {
    if (!lives.isUsed() || stopping) {
      return false;
    }
    int id = place.host().id();
    synchronized (lives) {
      boolean asPlanned = place.host().goesDown() && end.status() == NodeOutcome.Status.STOPPED;
      if (!asPlanned && (!end.failed() || end.silent() || !lives.mends(id))) {
        return false;
      }
      if (!asPlanned) {
        LOG.log(Level.WARNING, "{0}; it goes on alone with its newest checkpoint", end.reason());
      }
      lives.wentDown(id);
      tellGone(id);
      observer.nodeWentDown(id);
      if (lives.isForGood(id)) {
        leaveForGood(place);
        return false;
      }
      plan(id);
      int first = lives.isNobodyUp() ? lives.firstBack() : -1;
      if (first >= 0) {
        planned.execute(() -> comeBackIfDown(first));
      }
      return true;
    }
  }

  private void leaveForGood(Place place) {
    int id = place.host().id();
    enterEnd(
        place, new NodeEnd(NodeOutcome.Status.LEFT, "node %d left for good".formatted(id), false));
  }

  /** A node that is down does not come back. */
  private void staysDown(int id, String reason) {
    enterEnd(place(id), new NodeEnd(NodeOutcome.Status.LEFT, reason, false));
    living.decrementAndGet();
    lookSoon();
  }

  /** All know at once, as if someone told them; messages of the node may still be on their way. */
  private void tellGone(int id) {
    averages.ended(id, now());
    int from = place(id).node().ownRound();
    places.values().forEach(place -> place.host().hearGoodbye(id, from));
  }

  /** Lets happen to a node what its plan says. */
  private void plan(int id) {
    if (lives.isMending(id)) {
      planned.execute(() -> comeBackIfDown(id));
      return;
    }
    OptionalLong next = lives.nextChange(id);
    if (next.isPresent()) {
      int version = lives.version(id);
      planned.schedule(
          () -> change(id, version), Math.max(0, next.getAsLong() - now()), TimeUnit.NANOSECONDS);
    }
  }

  private void change(int id, int version) {
    synchronized (lives) {
      if (lives.version(id) != version || stopping) {
        return;
      }
      if (lives.isDown(id)) {
        comeBack(id, Lives.ANY_ROUND);
      } else {
        place(id).host().beGone();
      }
    }
  }

  private void comeBackIfDown(int id) {
    synchronized (lives) {
      if (lives.isDown(id) && !stopping) {
        comeBack(id, Lives.ANY_ROUND);
      }
    }
  }

  /** Lets a node come back, on the thread of another that has just begun {@code round}. */
  void bringBack(int id, int round) {
    synchronized (lives) {
      if (lives.isDown(id) && !stopping) {
        comeBack(id, round);
      }
    }
  }

  private void comeBack(int id, int round) {
    if (hasEnded(new int[] {id}) || lives.isTooLate(nodes())) {
      return;
    }
    Place place = place(id);
    place.host().comeBack();
    ComesBackWith with = lives.comesBack(id);
    Lives.Entry entry = with == ComesBackWith.NEIGHBOUR ? null : join(id, round);
    place.node().beginAnew(with, entry);
    place.thread = thread(id);
    plan(id);
    place.thread.start();
  }

  private List<RunningNode> nodes() {
    return places.values().stream().map(Place::node).toList();
  }

  /** A node takes part again, from a round on that nobody has begun yet. */
  Lives.Entry join(int id, int round) {
    synchronized (lives) {
      averages.isBack(id);
      Place place = place(id);
      Lives.Entry entry = lives.entry(id, nodes(), awaitedCut(), round, cuts);
      place.node().enterAt(entry.firstRound(), now());
      places.values().forEach(other -> other.host().hearReturn(id, entry.firstRound()));
      return entry;
    }
  }

  /** The round after which nodes wait to be saved; -1 if none does. */
  private int awaitedCut() {
    int round = -1;
    if (cut.isAwaited()) {
      for (Place place : places.values()) {
        if (lives.isIn(place.host().id()) && place.host().isAtCut()) {
          round = Math.max(round, place.host().cutRound());
        }
      }
    }
    return round;
  }

  private Place place(int id) {
    Place place = places.get(id);
    if (place == null) {
      throw new IllegalArgumentException("node %d is not in this process".formatted(id));
    }
    return place;
  }

  /** The host of a node that a message names, who may be wrong about it. */
  private LiveHost host(int id) {
    LiveHost host = id < 0 || id >= hosts.length ? null : hosts[id];
    if (host == null) {
      throw new MalformedPayloadException("node %d is not here".formatted(id));
    }
    return host;
  }

  private int workerOf(int node) {
    return company == null ? 0 : company.workerOf(node);
  }

  void send(int receiver, Message message) throws InterruptedException {
    counts.sent(workerOf(receiver));
    pass(receiver, stamped(receiver, message));
  }

  private Message stamped(int receiver, Message message) {
    return lives.isUsed() ? message.ofLife(lives.incarnation(message.sender(), receiver)) : message;
  }

  /** Drops a message of a life that is over, or to one who is down. */
  private boolean isOfAnotherLife(int receiver, Message message) {
    if (!lives.isUsed()) {
      return false;
    }
    boolean isLost =
        lives.isDown(receiver)
            || message.life()
                != (lives.incarnation(message.sender(), receiver) & Message.LARGEST_LIFE);
    if (isLost) {
      lives.lost(message.sender());
      settle(message.sender());
    }
    return isLost;
  }

  private void noteFinished(int receiver, Message message) {
    LiveHost sender = hosts[message.sender()];
    if (message.tag() != Message.EXCHANGE && hasFinished.get(receiver) != 0 && sender != null) {
      sender.noteFinished(receiver);
    }
  }

  /** Holds a message back while its sender goes on; it counts as on its way. */
  void sendLater(int receiver, Message message, long delay) {
    counts.sent(workerOf(receiver));
    Message stamped = stamped(receiver, message);
    heldBack.execute(() -> {
      try {
        Thread.sleep(Duration.ofNanos(delay));
        pass(receiver, stamped);
      } catch (InterruptedException e) {
        // The run is over, and nobody is left to hear it.
        counts.unsent(workerOf(receiver));
      }
    });
  }

  private void pass(int receiver, Message message) throws InterruptedException {
    try {
      transport.send(receiver, message);
    } catch (IOException e) {
      counts.unsent(workerOf(receiver));
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
    LiveHost host = host(receiver);
    if (!isOfAnotherLife(receiver, message)) {
      host.deliver(message);
      noteFinished(receiver, message);
      settle(message.sender());
    }
  }

  private void settle(int sender) {
    counts.settled(workerOf(sender));
    cut.lookSoonIfAwaited();
  }

  @Override
  public boolean offer(int receiver, Message message) {
    LiveHost host = host(receiver);
    if (isOfAnotherLife(receiver, message)) {
      return true;
    }
    boolean taken = host.offer(message);
    if (taken) {
      noteFinished(receiver, message);
      settle(message.sender());
    }
    return taken;
  }

  @Override
  public void gone(int receiver, int peer) {
    if (hosts[peer] == null) {
      markEnded(peer);
    }
    host(receiver).hearGoodbye(peer);
  }

  @Override
  public void refused(int receiver, int peer, String reason) {
    if (receiver < 0) {
      LOG.log(Level.WARNING, "a connection from outside the run was refused: {0}", reason);
      return;
    }
    LOG.log(Level.WARNING, "node {0} closed its link with node {1}: {2}", receiver, peer, reason);
  }

  /** Where this process stands; asked by those who look after all processes. */
  private Company.Standing standing() {
    long progress = counts.allSettled();
    long begun = counts.allSent();
    boolean stuck = isStuck();
    boolean rests = cut.allRest();
    boolean still = progress == counts.allSettled() && begun == counts.allSent();
    boolean waits = stuck && still && !goodbyesTravel();
    return new Company.Standing(
        counts.sent(), counts.settled(), waits, rests, waits ? describeWaits() : "");
  }

  private boolean isStuck() {
    return pool.pending() == 0
        && !isAnyoneLeaving()
        && places.values().stream().allMatch(place -> place.host().isStuck())
        && !cut.isDue();
  }

  /** Whether a node has ended and its end is still being entered. */
  private boolean isAnyoneLeaving() {
    return leaving.get() > 0;
  }

  /** Goodbyes are not counted as messages, yet those who wait for one are not stuck. */
  private boolean goodbyesTravel() {
    return goodbyes.get() > 0 || now() - lastGoodbye < GOODBYE_TRAVEL;
  }

  /** Looks whether anything can still happen. */
  private final class Watch {

    private long lastProgress = -1;
    private long since;
    private long lastLook = now();

    boolean seesStall() {
      // Between two looks a node that was woken must have had the time to show it.
      if (now() - lastLook < GLANCE) {
        return false;
      }
      lastLook = now();
      long progress = counts.allSettled();
      long begun = counts.allSent();
      // All may have ended since the caller looked: then nobody waits for anything.
      boolean stuck =
          isStuck()
              && places.values().stream().anyMatch(each -> !each.host().isClosed())
              && !lives.awaitsSomeone(now());
      // A message that came while we looked may have freed a node that we saw stuck before.
      boolean still = progress == counts.allSettled() && begun == counts.allSent();
      if (progress != lastProgress || !stuck || !still) {
        lastProgress = progress;
        since = now();
        return false;
      }
      boolean onTheWay = begun != progress || goodbyesTravel();
      return !onTheWay || now() - since > stallAfter;
    }
  }

  /** Before all is given up: tells those who wait for one who has finished. */
  private boolean isAnyoneAbandoned() {
    boolean isAny = false;
    for (Place place : places.values()) {
      isAny |= place.host().isAbandoned();
    }
    return isAny;
  }

  private String describeWaits() {
    Waits waits = new Waits();
    places.forEach((id, place) -> {
      if (!hasEnded(new int[] {id})) {
        place.host().describeWait(waits);
      }
    });
    return waits.report();
  }

  private void markEnded(int id) {
    synchronized (hasEnded) {
      hasEnded[id] = true;
    }
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
