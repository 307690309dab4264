package dev.grapevine.runtime.live;

import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.compute.Carriers;
import dev.grapevine.runtime.compute.ComputePool;
import java.util.Collection;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Looks whether anything can still happen in this process. Used by the watchdog. */
final class LiveWatch {

  /** How often the watchdog looks, in ns. */
  static final long GLANCE = 50_000_000L;

  private final Collection<LivePlace> places;
  private final ComputePool pool;
  private final MessageCounts counts;
  private final Lives lives;
  private final EndedNodes ended;
  private final Goodbyes goodbyes;
  private final LiveCut cut;
  private final LiveChurn churn;
  private final Transport transport;
  private final LongSupplier clock;
  private final long stallAfter;
  private final EndlessWork endless = new EndlessWork();
  private long lastProgress = -1;
  private long since;
  private long lastLook;

  LiveWatch(
      Collection<LivePlace> places,
      ComputePool pool,
      MessageCounts counts,
      Lives lives,
      EndedNodes ended,
      Goodbyes goodbyes,
      LiveCut cut,
      LiveChurn churn,
      Transport transport,
      LongSupplier clock,
      long stallAfter) {
    this.places = places;
    this.pool = pool;
    this.counts = counts;
    this.lives = lives;
    this.ended = ended;
    this.goodbyes = goodbyes;
    this.cut = cut;
    this.churn = churn;
    this.transport = transport;
    this.clock = clock;
    this.stallAfter = stallAfter;
  }

  /** The nodes are about to begin. */
  void begin() {
    lastLook = clock.getAsLong();
  }

  /** Whether all nodes wait for what will not come. */
  boolean seesStall() {
    // Between two looks a node that was woken must have had the time to show it.
    long now = clock.getAsLong();
    if (now - lastLook < GLANCE) {
      return false;
    }
    lastLook = now;
    long progress = counts.allSettled();
    long begun = counts.allSent();
    long changes = lives.changes();
    // All may have ended since the caller looked: then nobody waits for anything.
    boolean stuck =
        isStuck(begun != progress)
            && places.stream().anyMatch(each -> !each.host().isClosed())
            && !lives.awaitsSomeone(clock.getAsLong());
    // A message that came while we looked may have freed a node that we saw stuck before, and a
    // node that we saw down may be back.
    boolean still =
        progress == counts.allSettled() && begun == counts.allSent() && changes == lives.changes();
    if (progress != lastProgress || !stuck || !still) {
      lastProgress = progress;
      since = clock.getAsLong();
      return false;
    }
    boolean onTheWay = begun != progress || goodbyes.travel();
    boolean isStalled = !onTheWay || clock.getAsLong() - since > stallAfter;
    return isStalled && !isAnyoneAbandoned();
  }

  private boolean isStuck(boolean mayLackRoom) {
    return pool.pending() == 0
        && places.stream().allMatch(place -> place.host().isStuck(mayLackRoom))
        // Asked after the nodes: one that was seen to have ended may be about to tell the others.
        && !churn.isAnyoneLeaving()
        && !transport.isOpening()
        && !cut.isDue();
  }

  /** Before all is given up: tells those who wait for one who has finished. */
  private boolean isAnyoneAbandoned() {
    boolean isAny = false;
    for (LivePlace place : places) {
      isAny |= place.host().isAbandoned();
    }
    return isAny;
  }

  /** Where this process stands; asked by those who look after all processes. */
  Company.Standing standing() {
    long progress = counts.allSettled();
    long begun = counts.allSent();
    // Of what was sent to other processes only those who ask know whether it is on its way.
    boolean stuck = isStuck(true) && !lives.awaitsSomeone(clock.getAsLong());
    boolean rests = cut.allRest();
    boolean still = progress == counts.allSettled() && begun == counts.allSent();
    boolean waits = stuck && still && !goodbyes.travel();
    return new Company.Standing(
        counts.sent(), counts.settled(), waits, rests, waits ? describeWaits() : "");
  }

  /** Who waits for whom. */
  String describeWaits() {
    Waits waits = new Waits();
    for (LivePlace place : places) {
      if (!ended.has(place.host().id())) {
        place.host().describeWait(waits);
      }
    }
    return waits.report();
  }

  /**
   * Why nothing happens but that own code computes, if that has been so for too long.
   *
   * @param living how many nodes have not ended
   */
  Optional<String> seesEndless(int living) {
    if (endless.quietFor(progress(living), clock.getAsLong()) <= stallAfter) {
      return Optional.empty();
    }
    endless.forgive(clock.getAsLong());
    return endlessNode().map(culprit -> EndlessWork.reason(culprit, stallAfter));
  }

  /** Whether own code goes on and on although the run was stopped; then it is left behind. */
  boolean isHopeless(int living) {
    if (endless.quietFor(progress(living), clock.getAsLong()) < EndlessWork.GRACE
        || endlessNode().isEmpty()) {
      return false;
    }
    pool.abandon();
    Carriers.replace(
        (int)
            places.stream()
                .filter(at ->
                    EndlessWork.holdsCarrier(at.host().id(), at.host().computing(), at.thread()))
                .count());
    return true;
  }

  private long progress(int living) {
    return counts.allSettled() + pool.completed() - living;
  }

  private Optional<String> endlessNode() {
    return places.stream()
        .filter(at -> at.thread().isAlive())
        .flatMap(
            at -> EndlessWork.describe(at.host().id(), at.host().computing(), at.thread()).stream())
        .findFirst();
  }
}
