package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The coordinator's part in saving a run. A cut that nobody planned is taken after the first round
 * that no node of any worker has ended: all workers hold their nodes for as long as it takes to
 * find out which that is. Where nodes must rest to be saved, all workers are asked until all have
 * rested twice running with the same counts and as many messages taken as sent (Mattern's method of
 * four counters): then nothing is on its way. They go on once all have been copied.
 *
 * <p>All its state belongs to the coordinator's thread.
 */
final class CutCoordination {

  /** Questions in a row without a pause; beyond, messages are on their way for longer. */
  private static final int QUICK = 20;

  private enum Step {
    IDLE,
    ASKING,
    TAKING
  }

  private final Supplier<List<Member>> living;
  private final BooleanSupplier mayTake;
  private final Map<Integer, Integer> held = new HashMap<>();
  private boolean holding;
  private int stopAfter = -1;
  private Step step = Step.IDLE;
  private int question;
  private int quick;
  private boolean asksLater;
  private int latest = -1;
  private Map<Integer, CutTalk.Rests> before = Map.of();
  private Map<Integer, CutTalk.Rests> answers = new HashMap<>();
  private final Set<Integer> taken = new HashSet<>();

  /**
   * @param living those who are saved
   * @param mayTake whether nobody is about to begin, who would have to rest first
   */
  CutCoordination(Supplier<List<Member>> living, BooleanSupplier mayTake) {
    this.living = living;
    this.mayTake = mayTake;
  }

  private void broadcast(CutTalk talk) {
    living.get().forEach(member -> member.tell(new Control.Cut(talk)));
  }

  /** Has all nodes saved at the end of a round that none has ended; the run ends after that. */
  void saveSoon() {
    if (!holding && stopAfter < 0) {
      holding = true;
      broadcast(new CutTalk.Hold());
    }
  }

  /** Whether the run is to end with a cut. */
  boolean isStopping() {
    return holding || stopAfter >= 0;
  }

  /** Whether the run ends with the cut after so many rounds. */
  boolean endsAfter(int rounds) {
    return stopAfter >= 0 && rounds == stopAfter;
  }

  /** Whether nodes rest, or are to, and are not stalled because of that. */
  boolean isAwaited() {
    return step != Step.IDLE;
  }

  /** Whether it can be decided where a node begins: nobody is just being copied or held. */
  boolean letsNodesEnter() {
    return step != Step.TAKING && !holding;
  }

  /** The latest round after which all have been saved while they rested; negative for none. */
  int latest() {
    return latest;
  }

  /** Someone begins who may have to rest first, or is saved from now on: what was said is void. */
  void askAnew() {
    if (step == Step.ASKING) {
      quick = 0;
      before = Map.of();
      ask();
    }
  }

  /** Takes what a worker says. */
  void take(Member member, CutTalk talk) {
    switch (talk) {
      case CutTalk.Held latest -> {
        held.put(member.rank(), latest.round());
        chooseRound();
      }
      case CutTalk.Awaited _ -> {
        if (step == Step.IDLE) {
          step = Step.ASKING;
          askAnew();
        }
      }
      case CutTalk.Rests rests -> {
        int world = member.join().world();
        if (rests.sent().length != world || rests.settled().length != world) {
          throw new MalformedPayloadException("counts for %d workers".formatted(world));
        }
        if (step == Step.ASKING && rests.number() == question) {
          answers.put(member.rank(), rests);
          judge();
        }
      }
      case CutTalk.Taken _ -> {
        taken.add(member.rank());
        goOnIfAllAreTaken();
      }
      default ->
          throw new MalformedPayloadException(
              "not for the coordinator: " + talk.getClass().getSimpleName());
    }
  }

  /** Somebody is not waited for any more. */
  void lost() {
    chooseRound();
    judge();
    goOnIfAllAreTaken();
  }

  /** Asks again, after a pause. */
  void look() {
    if (asksLater && step == Step.ASKING) {
      ask();
    }
  }

  private boolean allOf(Set<Integer> ranks) {
    return living.get().stream().allMatch(member -> ranks.contains(member.rank()));
  }

  private void chooseRound() {
    if (holding && allOf(held.keySet())) {
      holding = false;
      int round = 1 + held.values().stream().mapToInt(Integer::intValue).max().orElse(-1);
      stopAfter = round + 1;
      broadcast(new CutTalk.SaveAfter(round));
    }
  }

  private void ask() {
    asksLater = false;
    question++;
    answers = new HashMap<>();
    broadcast(new CutTalk.AskRest(question));
  }

  private void judge() {
    if (step != Step.ASKING || asksLater || !mayTake.getAsBoolean() || !allOf(answers.keySet())) {
      return;
    }
    if (isBalanced() && sameAsBefore()) {
      step = Step.TAKING;
      taken.clear();
      int round = answers.values().stream().mapToInt(CutTalk.Rests::round).max().orElseThrow();
      latest = Math.max(latest, round);
      broadcast(new CutTalk.Take(round));
      return;
    }
    before = answers;
    quick++;
    if (quick < QUICK) {
      ask();
    } else {
      asksLater = true;
    }
  }

  private boolean isBalanced() {
    for (Member from : living.get()) {
      for (Member to : living.get()) {
        long sent = answer(from).sent()[to.rank()];
        if (sent != answer(to).settled()[from.rank()]) {
          return false;
        }
      }
    }
    return true;
  }

  private CutTalk.Rests answer(Member member) {
    CutTalk.Rests rests = answers.get(member.rank());
    if (rests == null) {
      throw new IllegalStateException("%s has not answered".formatted(member.name()));
    }
    return rests;
  }

  private boolean sameAsBefore() {
    return living.get().stream()
        .allMatch(member -> {
          CutTalk.Rests then = before.get(member.rank());
          CutTalk.Rests now = answer(member);
          return then != null
              && Arrays.equals(then.sent(), now.sent())
              && Arrays.equals(then.settled(), now.settled());
        });
  }

  private void goOnIfAllAreTaken() {
    if (step == Step.TAKING && allOf(taken)) {
      step = Step.IDLE;
      broadcast(new CutTalk.GoOn());
    }
  }
}
