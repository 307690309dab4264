package dev.grapevine.runtime.live;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Entry;
import dev.grapevine.runtime.EntryRounds;
import dev.grapevine.runtime.Hearsay;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets the nodes of a live run go down and come back as they should by the wall clock, by rounds or
 * after a failure. Whoever changes who is there holds the lock of {@link #lives}.
 */
final class LiveChurn implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(LiveRun.class.getName());

  private final LiveRun run;
  private final Lives lives;
  private final SortedMap<Integer, LivePlace> places;
  private final EndedNodes ended;
  private final AverageCollector averages;
  private final Observer observer;
  private final LiveCut cut;
  private final EntryRounds entryRounds;

  private final @Nullable SharedChurn shared;

  /** Nodes whose threads have ended, and whose end has not been entered yet. */
  private final AtomicInteger leaving = new AtomicInteger();

  /** Does what is planned when it is time. */
  private final ScheduledExecutorService planned =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("churn").factory());

  LiveChurn(
      LiveRun run,
      Lives lives,
      SortedMap<Integer, LivePlace> places,
      EndedNodes ended,
      AverageCollector averages,
      Observer observer,
      LiveCut cut,
      EntryRounds entryRounds,
      Hearsay hearsay,
      @Nullable Company company) {
    this.run = run;
    this.lives = lives;
    this.places = places;
    this.ended = ended;
    this.averages = averages;
    this.observer = observer;
    this.cut = cut;
    this.entryRounds = entryRounds;
    shared =
        company == null || !lives.isUsed()
            ? null
            : new SharedChurn(
                run, this, lives, hearsay, places, ended, averages, entryRounds, company);
  }

  /** Does something on a thread of its own, after what was planned before. */
  void later(Runnable work) {
    try {
      planned.execute(work);
    } catch (RejectedExecutionException over) {
      LOG.log(Level.DEBUG, "the run is over, and nobody comes or goes any more");
    }
  }

  /** What is shared with other processes; null where there are none, or nobody comes and goes. */
  @Nullable SharedChurn shared() {
    return shared;
  }

  /** Decides who is down where the run begins. */
  void begin(long now, int firstRound) {
    if (lives.isUsed()) {
      lives.begin(now, firstRound);
      places.forEach((id, place) -> {
        if (lives.isDown(id) && !ended.has(id)) {
          place.host().close();
          tellGone(id);
        }
      });
    }
  }

  /** Lets a node's first life begin, unless it is down; ends one that is never there. */
  void start(int id) {
    if (lives.isUsed()) {
      if (lives.isForGood(id)) {
        run.enterEnd(place(id), leftForGood(id));
        run.staysDown();
        return;
      }
      plan(id);
    }
    if (!lives.isDown(id)) {
      place(id).thread().start();
    }
  }

  /** A node's thread is about to end; {@link #hasLeft} follows. */
  void leaves() {
    leaving.incrementAndGet();
  }

  void hasLeft() {
    leaving.decrementAndGet();
  }

  /** Whether a node has ended and its end is still being entered. */
  boolean isAnyoneLeaving() {
    return leaving.get() > 0;
  }

  /** Whether a node whose life has ended is down now, and not at its end. */
  boolean goesDown(LivePlace place, NodeEnd end) {
    if (!lives.isUsed() || run.isStopping()) {
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
      if (shared != null) {
        shared.wentDown(id);
      }
      observer.nodeWentDown(id);
      if (lives.isForGood(id)) {
        run.enterEnd(place, leftForGood(id));
        return false;
      }
      plan(id);
      int first = shared == null && lives.isNobodyUp() ? lives.firstBack() : -1;
      if (first >= 0) {
        planned.execute(() -> comeBackIfDown(first));
      }
      return true;
    }
  }

  private static NodeEnd leftForGood(int id) {
    return left("node %d left for good".formatted(id));
  }

  static NodeEnd left(String reason) {
    return new NodeEnd(NodeOutcome.Status.LEFT, reason, false);
  }

  /** All know at once, as if someone told them; messages of the node may still be on their way. */
  void tellGone(int id) {
    averages.ended(id, run.now());
    int from = place(id).node().ownRound();
    places.values().forEach(place -> place.host().hearGoodbye(id, from));
  }

  /** Lets happen to a node what its plan says. */
  void plan(int id) {
    if (lives.isMending(id)) {
      planned.execute(() -> comeBackIfDown(id));
      return;
    }
    OptionalLong next = lives.nextChange(id);
    if (next.isPresent()) {
      int version = lives.version(id);
      planned.schedule(
          () -> change(id, version),
          Math.max(0, next.getAsLong() - run.now()),
          TimeUnit.NANOSECONDS);
    }
  }

  private void change(int id, int version) {
    synchronized (lives) {
      if (lives.version(id) != version || run.isStopping()) {
        return;
      }
      if (lives.isDown(id)) {
        comeBack(id, Entry.ANY_ROUND);
      } else {
        place(id).host().beGone();
      }
    }
  }

  private void comeBackIfDown(int id) {
    bringBack(id, Entry.ANY_ROUND);
  }

  /** Lets a node come back, on the thread of another that has just begun {@code round}. */
  void bringBack(int id, int round) {
    synchronized (lives) {
      if (lives.isDown(id) && !run.isStopping()) {
        comeBack(id, round);
      }
    }
  }

  private void comeBack(int id, int round) {
    // Of several processes, all say together whether it is too late.
    if (ended.has(id) || (shared == null && entryRounds.isTooLate(nodes()))) {
      return;
    }
    LivePlace place = place(id);
    place.host().comeBack();
    // That all count on it is not undone by one who begins a later round first.
    int sure = round == Entry.ANY_ROUND ? Entry.ANY_ROUND : lives.sureRound(id);
    ComesBackWith with = lives.comesBack(id);
    if (shared != null) {
      shared.comesBack(place, with, sure);
      return;
    }
    Entry entry = with == ComesBackWith.NEIGHBOUR ? null : join(id, round);
    place.node().beginAnew(with, entry);
    plan(id);
    place.start(run.thread(id));
  }

  List<RunningNode> nodes() {
    return places.values().stream().map(LivePlace::node).toList();
  }

  /** A node takes part again, from a round on that nobody has begun yet. */
  Entry join(int id, int round) {
    synchronized (lives) {
      averages.isBack(id);
      LivePlace place = place(id);
      Entry entry = entryRounds.entry(id, nodes(), awaitedCut(), round);
      place.node().enterAt(entry, run.now());
      places.values().forEach(other -> other.host().hearReturn(id, entry.firstRound()));
      return entry;
    }
  }

  /** The round after which nodes wait to be saved; -1 if none does. */
  private int awaitedCut() {
    int round = -1;
    if (cut.isAwaited()) {
      for (LivePlace place : places.values()) {
        if (lives.isIn(place.host().id()) && place.host().isAtCut()) {
          round = Math.max(round, place.host().cutRound());
        }
      }
    }
    return round;
  }

  /** Whether all who have not ended are down, and nobody is left whom they could come back to. */
  boolean hasOnlyAbsentLeft() {
    if (shared != null) {
      return shared.isNobodyLeft();
    }
    if (!lives.isUsed() || !lives.isNobodyUp() || isAnyoneLeaving()) {
      return false;
    }
    for (int id : places.keySet()) {
      if (ended.hasFinished(id)) {
        return true;
      }
    }
    return !lives.awaitsSomeone(run.now()) && lives.firstBack() < 0;
  }

  /** Enters the end of all who are down. */
  void leaveAbsentBehind() {
    if (lives.isUsed()) {
      synchronized (lives) {
        places.forEach((id, place) -> {
          if ((lives.isDown(id) || (shared != null && shared.isEntering(id))) && !ended.has(id)) {
            run.enterEnd(place, left("node %d was down when the run ended".formatted(id)));
            run.staysDown();
          }
        });
      }
    }
  }

  private LivePlace place(int id) {
    LivePlace place = places.get(id);
    if (place == null) {
      throw new IllegalArgumentException("node %d is not in this process".formatted(id));
    }
    return place;
  }

  /** Nobody comes or goes any more. */
  @Override
  public void close() {
    planned.shutdownNow();
  }
}
