package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company.NodeLife;
import dev.grapevine.runtime.report.NodeOutcome;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's part in letting nodes go down and come back: passes on who is down, and finds
 * the round in which one takes part again. Every worker promises a round that none of its nodes has
 * begun, from which on they count on the one that comes back; the latest of these is where it
 * enters. Nobody stops for it.
 *
 * <p>No entry is decided while nodes are being copied, and nobody is copied while an entry is: who
 * is told where it begins rests at every cut from there on.
 *
 * <p>All its state belongs to the coordinator's thread.
 */
final class LifeCoordination {

  /** An entry that not all workers have promised a round for. */
  private static final class Open {
    private final int worker;
    private final LifeTalk.Returns returns;
    private final Set<Integer> outstanding = new HashSet<>();
    private int round;

    Open(int worker, LifeTalk.Returns returns) {
      this.worker = worker;
      this.returns = returns;
      this.round = returns.earliest();
    }
  }

  private record Asked(Member member, LifeTalk.Returns returns) {}

  private final Placement placement;
  private final Supplier<List<Member>> living;
  private final IntSupplier savedAfter;
  private final Map<Integer, NodeLife> book = new TreeMap<>();
  private final BitSet ended = new BitSet();
  private boolean hasFinished;
  private boolean hasDecided;

  /** Whether something was done about it that all nodes are down. */
  private boolean isNobodyUpKnown;

  private final Map<Integer, Open> open = new HashMap<>();
  private final Queue<Asked> waiting = new ArrayDeque<>();

  /**
   * @param savedAfter the latest round after which all have been saved; negative for none
   */
  LifeCoordination(Placement placement, Supplier<List<Member>> living, IntSupplier savedAfter) {
    this.placement = placement;
    this.living = living;
    this.savedAfter = savedAfter;
  }

  /** A worker says where its nodes are when the run begins. */
  void learn(Member member, List<NodeLife> lives) {
    for (NodeLife life : lives) {
      requireOwn(member, life.node());
      book.put(life.node(), life);
    }
  }

  /** All nodes, as far as they have been told of. */
  List<NodeLife> book() {
    return List.copyOf(book.values());
  }

  /** Whether an entry was decided, or given up, since this was asked last. */
  boolean hasDecided() {
    boolean has = hasDecided && open.isEmpty();
    hasDecided &= !has;
    return has;
  }

  /** Whether it is being found out where a node enters. */
  boolean isOpen() {
    return !open.isEmpty();
  }

  /** Takes what a worker says. */
  void take(Member member, LifeTalk talk) {
    switch (talk) {
      case LifeTalk.Down down -> {
        requireOwn(member, down.node());
        isDown(down);
      }
      case LifeTalk.Due due -> {
        if (due.node() >= 0 && due.node() < placement.workerOf().length) {
          tell(placement.workerOf(due.node()), due);
        }
      }
      case LifeTalk.Returns returns -> {
        requireOwn(member, returns.node());
        waiting.add(new Asked(member, returns));
      }
      case LifeTalk.Promised promised -> {
        Open entry = open.get(promised.node());
        if (entry != null
            && entry.returns.life() == promised.life()
            && entry.outstanding.remove(member.rank())) {
          entry.round = Math.max(entry.round, promised.round());
          endIfAllHavePromised(entry);
        }
      }
      default ->
          throw new MalformedPayloadException(
              "not for the coordinator: " + talk.getClass().getSimpleName());
    }
  }

  private void requireOwn(Member member, int node) {
    int[] workerOf = placement.workerOf();
    if (node < 0 || node >= workerOf.length || workerOf[node] != member.rank()) {
      throw new MalformedPayloadException("node %d is not its own".formatted(node));
    }
  }

  private void isDown(LifeTalk.Down down) {
    book.put(down.node(), new NodeLife(down.node(), down.life(), true, down.due(), down.isSure()));
    open.remove(down.node());
    // Others would not count on a life that they know to be over, and would be waited for in vain.
    waiting.removeIf(asked -> asked.returns().node() == down.node());
    tellOthers(placement.workerOf(down.node()), down);
  }

  private void tell(int worker, LifeTalk talk) {
    for (Member member : living.get()) {
      if (member.rank() == worker) {
        member.tell(new Control.Life(talk));
      }
    }
  }

  private void tellOthers(int worker, LifeTalk talk) {
    for (Member member : living.get()) {
      if (member.rank() != worker) {
        member.tell(new Control.Life(talk));
      }
    }
  }

  /** All nodes of a worker that was lost are down. */
  void nodesAreDown(int worker) {
    for (int node : placement.nodesOf(worker)) {
      NodeLife life = book.get(node);
      if (life != null) {
        isDown(new LifeTalk.Down(node, life.number(), 0, NodeLife.NO_ROUND, false));
      }
    }
  }

  /** A worker is gone for good, and with it its nodes. */
  void gone(int worker) {
    lost(worker);
    for (int node : placement.nodesOf(worker)) {
      ended.set(node);
    }
  }

  /** Nobody waits for the promise of a worker any more. */
  void lost(int worker) {
    waiting.removeIf(asked -> asked.member().rank() == worker);
    for (Open entry : List.copyOf(open.values())) {
      if (entry.worker == worker) {
        open.remove(entry.returns.node());
      } else if (entry.outstanding.remove(worker)) {
        endIfAllHavePromised(entry);
      }
    }
  }

  /** A node has ended, and does not come back. */
  void ended(NodeOutcome outcome) {
    ended.set(outcome.node());
    hasFinished |= outcome.status() == NodeOutcome.Status.FINISHED;
  }

  /**
   * Looks whether all nodes that have not ended are down. Then nobody begins the rounds in which
   * others are due back: the first of them comes back at once, unless the run has been through its
   * last round.
   */
  void lookForTheLast() {
    if (isNobodyUpKnown || !open.isEmpty() || !waiting.isEmpty() || !isNobodyUp()) {
      return;
    }
    isNobodyUpKnown = true;
    if (hasFinished) {
      living.get().forEach(member -> member.tell(new Control.Life(new LifeTalk.NobodyLeft())));
      return;
    }
    book.values().stream()
        .filter(life -> !ended.get(life.node()) && life.due() >= 0)
        .min(Comparator.comparingInt(NodeLife::due))
        .ifPresent(first ->
            tell(
                placement.workerOf(first.node()),
                new LifeTalk.Due(first.node(), first.number(), true)));
  }

  private boolean isNobodyUp() {
    boolean isAnyoneDown = false;
    for (NodeLife life : book.values()) {
      if (!ended.get(life.node())) {
        if (!life.isDown()) {
          return false;
        }
        isAnyoneDown = true;
      }
    }
    return isAnyoneDown;
  }

  /** Finds out where those enter who have asked; to be called while nobody is being saved. */
  void askForThoseWhoWait() {
    for (@Nullable Asked asked = waiting.poll(); asked != null; asked = waiting.poll()) {
      begin(asked.member().rank(), asked.returns());
    }
  }

  private void begin(int worker, LifeTalk.Returns returns) {
    int node = returns.node();
    book.put(node, new NodeLife(node, returns.life(), false, NodeLife.NO_ROUND, false));
    isNobodyUpKnown = false;
    Open entry = new Open(worker, returns);
    open.put(node, entry);
    hasDecided = true;
    for (Member member : living.get()) {
      entry.outstanding.add(member.rank());
      member.tell(
          new Control.Life(
              new LifeTalk.AskRound(
                  node,
                  returns.life(),
                  returns.joins(),
                  returns.isSure() ? returns.earliest() : NodeLife.NO_ROUND)));
    }
    endIfAllHavePromised(entry);
  }

  private void endIfAllHavePromised(Open entry) {
    LifeTalk.Returns returns = entry.returns;
    if (entry.outstanding.isEmpty() && open.remove(returns.node(), entry)) {
      LifeTalk enters =
          new LifeTalk.Enters(
              returns.node(), returns.life(), returns.joins(), entry.round, savedAfter.getAsInt());
      living.get().forEach(member -> member.tell(new Control.Life(enters)));
    }
  }
}
