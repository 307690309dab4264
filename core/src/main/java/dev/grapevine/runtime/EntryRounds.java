package dev.grapevine.runtime;

import java.util.List;

/**
 * Finds the round in which a node begins that comes back while others are in the midst of it. Those
 * who are ahead of it send what it needs from that round on; of the rounds before it needs nothing.
 * Whoever asks holds the lock of {@link Lives}, so that nobody begins a round meanwhile.
 */
public final class EntryRounds {

  private final Lives lives;
  private final Cuts cuts;
  private final int rounds;
  private final int learners;

  public EntryRounds(Plan plan, Lives lives) {
    this.lives = lives;
    cuts = plan.saving().cuts();
    rounds = plan.rounds();
    learners = plan.topology().nodes();
  }

  /**
   * Where a node enters, if all nodes are in this process. Where all are about to be saved it waits
   * with them.
   *
   * @param all all nodes by number; only those that take part are asked
   * @param cutRound the round after which nodes wait to be saved; negative if none does
   * @param earliest the round that it is to begin with, if all goes by rounds
   */
  public Entry entry(int node, List<RunningNode> all, int cutRound, int earliest) {
    int begun = -1;
    for (RunningNode other : all) {
      if (other.id() != node && lives.isIn(other.id())) {
        // Not the round that it is about to begin: it may have to rest first, and so has this one.
        begun = Math.max(begun, other.begunRound());
      }
    }
    if (begun < 0) {
      // All alone, it goes on where it was.
      return Entry.withoutRest(Math.max(earliest, all.get(node).ownRound()));
    }
    if (cutRound >= 0) {
      return new Entry(cutRound + 1, cutRound);
    }
    // With the first who begins its round, it comes back before that one has said anything.
    return savedBefore(earliest >= begun ? earliest : begun + 1);
  }

  /**
   * Where a node enters, once all processes have said which round they can promise.
   *
   * @param savedAfter the latest round after which all have been saved; negative for none
   */
  public Entry entry(int round, int savedAfter) {
    return round > 0 && savedAfter < round - 1 ? savedBefore(round) : Entry.withoutRest(round);
  }

  private Entry savedBefore(int round) {
    return cuts.due(round - 1) ? new Entry(round, round - 1) : Entry.withoutRest(round);
  }

  /**
   * The first round that none of the nodes here has begun, which all take part as far as they are
   * up: from it on they can count on one who comes back.
   */
  public int firstFree(List<RunningNode> here) {
    int free = 0;
    for (RunningNode node : here) {
      if (lives.isIn(node.id())) {
        free = Math.max(free, node.begunRound() + 1);
      }
    }
    return isTooLate(here) ? rounds : free;
  }

  /** Whether all rounds are over that a node could take part in. */
  public boolean isPastTheEnd(int round) {
    return round >= rounds;
  }

  /** Whether the first node has been through all rounds, so that nobody needs to come back. */
  public boolean isTooLate(List<RunningNode> nodes) {
    for (RunningNode node : nodes) {
      if (!lives.isDown(node.id()) && isPastTheEnd(node.ownRound())) {
        return true;
      }
      if (lives.hasEnded(node.id()) && node.id() >= learners) {
        return true;
      }
    }
    return false;
  }
}
