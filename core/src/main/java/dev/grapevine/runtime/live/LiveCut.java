package dev.grapevine.runtime.live;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.RestingCut;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.compute.ComputePool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Saves the nodes of a live run while they rest: when nothing is on its way in this process or,
 * where there are several, when all workers have agreed that nothing is. The watchdog looks; nodes
 * only tell that they rest.
 */
final class LiveCut {

  private final Cuts cuts;
  private final ComputePool pool;
  private final MessageCounts counts;
  private final BooleanSupplier goodbyesTravel;
  private final IntPredicate hasEnded;
  private final Runnable lookSoon;
  private final Company.@Nullable Cutting together;
  private final Predicate<Company.LifeOrder> lifeOrders;
  private final Map<LiveHost, RunningNode> nodes = new LinkedHashMap<>();

  /** Whether a node waits for all to be saved, here or at another worker. */
  private volatile boolean awaited;

  private volatile long taken;
  private boolean told;

  /**
   * @param goodbyesTravel whether one is under way that nobody counts
   * @param hasEnded whether a node does not go on any more, by number
   * @param lookSoon makes the watchdog look at once
   * @param lifeOrders carries out what is to be done about nodes that come back; false when it is
   *     too early
   */
  LiveCut(
      Cuts cuts,
      ComputePool pool,
      MessageCounts counts,
      BooleanSupplier goodbyesTravel,
      IntPredicate hasEnded,
      Runnable lookSoon,
      @Nullable Company company,
      Predicate<Company.LifeOrder> lifeOrders) {
    this.cuts = cuts;
    this.pool = pool;
    this.counts = counts;
    this.goodbyesTravel = goodbyesTravel;
    this.hasEnded = hasEnded;
    this.lookSoon = lookSoon;
    this.lifeOrders = lifeOrders;
    together = company == null ? null : company.cutting();
    if (together != null) {
      together.wakeBy(lookSoon);
    }
  }

  void add(LiveHost host, RunningNode node) {
    nodes.put(host, node);
  }

  /** A node begins to rest. */
  void rests(boolean isAtCut) {
    awaited |= isAtCut;
    lookSoonIfAwaited();
  }

  /** Whether a node waits to be saved. */
  boolean isAwaited() {
    return awaited;
  }

  void lookSoonIfAwaited() {
    if (awaited) {
      lookSoon.run();
    }
  }

  /** How many there have been. */
  long taken() {
    return taken;
  }

  /** Whether all nodes of this process can be saved as they are. */
  boolean allRest() {
    return nodes.keySet().stream().allMatch(LiveHost::rests);
  }

  /** Whether nodes wait for nothing but to be saved, and nobody else has a say in it. */
  boolean isDue() {
    return together == null && awaited && allRest();
  }

  /** Takes the cut, or another step towards it, if it is time; asked by the watchdog. */
  void look() {
    if (together == null) {
      if (isQuiet()) {
        take(round());
        goOn();
      }
      return;
    }
    if (awaited && !told) {
      told = true;
      together.awaited();
    }
    for (Company.Order order = together.next();
        order != null && carryOut(order, together);
        order = together.next()) {
      // Until one has to wait.
      continue;
    }
  }

  /** False when it is too early. */
  private boolean carryOut(Company.Order order, Company.Cutting workers) {
    switch (order) {
      case Company.LifeOrder life -> {
        return lifeOrders.test(life);
      }
      case Company.CutOrder.Rest rest -> {
        awaited = true;
        told = true;
        long[] settled = counts.settled();
        if (!allRest() || goodbyesTravel.getAsBoolean()) {
          return false;
        }
        workers.rests(rest.number(), round(), counts.sent(), settled);
      }
      case Company.CutOrder.Take take -> {
        take(take.round());
        workers.taken();
      }
      case Company.CutOrder.GoOn _ -> {
        told = false;
        goOn();
        workers.wentOn();
      }
    }
    return true;
  }

  /**
   * Whether nodes wait to be saved and nothing can happen before they are: all rest, and since
   * before they were looked at nothing has been on its way.
   */
  private boolean isQuiet() {
    if (!awaited) {
      return false;
    }
    long arrived = counts.allSettled();
    return allRest() && !goodbyesTravel.getAsBoolean() && counts.allSent() == arrived;
  }

  /** The latest round at whose end a node has waited. */
  private int round() {
    int round = 0;
    for (LiveHost host : nodes.keySet()) {
      if (!hasEnded.test(host.id())) {
        round = Math.max(round, host.cutRound());
      }
    }
    return round;
  }

  private void take(int round) {
    List<RunningNode> present = new ArrayList<>();
    nodes.forEach((host, node) -> {
      if (!hasEnded.test(host.id())) {
        present.add(node);
      }
    });
    RestingCut.take(cuts, round, present, pool);
  }

  private void goOn() {
    awaited = false;
    taken++;
    nodes.keySet().forEach(LiveHost::signal);
  }
}
