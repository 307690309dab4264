package dev.grapevine.runtime;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Of whom a node hears nothing: peers that are gone, from which round and until which one, peers
 * that have come back, and peers that have finished. Most nodes never lose one, so that nothing is
 * made before it is needed. Not safe for concurrent use.
 */
final class Absentees {

  private @Nullable BitSet gone;

  /** Of peers that are gone, the first round of which nothing is to come; 0 if it is not known. */
  private @Nullable Map<Integer, Integer> from;

  /** Of peers that are gone, the round in which they are there again, if that is known. */
  private @Nullable Map<Integer, Integer> until;

  /** Of peers that have come back, the first round in which they are there again. */
  private @Nullable Map<Integer, Integer> backIn;

  /** Peers that took no message because they had finished. */
  private @Nullable BitSet finished;

  private boolean knowsFinished;

  /** Whether the owner waits for a condition, and which peers went since it began to. */
  private boolean awaitsCondition;

  private @Nullable BitSet wentMeanwhile;

  /**
   * Notes that a peer is gone; false if that was known.
   *
   * @param fromRound the first round of which nothing is to come; 0 if it is not known
   * @param untilRound the round in which it is there again; {@link Mailbox#FOR_GOOD} if that is not
   *     known
   */
  boolean add(int peer, int fromRound, int untilRound) {
    boolean wasToComeBack = setUntil(peer, untilRound);
    if (isGone(peer)) {
      // It may be gone for longer than was said before.
      return wasToComeBack;
    }
    if (fromRound > 0) {
      if (from == null) {
        from = new HashMap<>(4);
      }
      from.put(peer, fromRound);
    }
    if (gone == null) {
      gone = new BitSet();
    }
    gone.set(peer);
    if (awaitsCondition) {
      if (wentMeanwhile == null) {
        wentMeanwhile = new BitSet();
      }
      wentMeanwhile.set(peer);
    }
    return true;
  }

  /** Whether something else was known before. */
  private boolean setUntil(int peer, int round) {
    if (round == Mailbox.FOR_GOOD) {
      return until != null && until.remove(peer) != null;
    }
    if (until == null) {
      until = new HashMap<>(4);
    }
    return until.put(peer, round) != null;
  }

  /** Notes that a peer is there again, from {@code round} on. */
  void isBack(int peer, int round) {
    if (gone != null) {
      gone.clear(peer);
    }
    if (from != null) {
      from.remove(peer);
    }
    setUntil(peer, Mailbox.FOR_GOOD);
    if (backIn == null) {
      backIn = new HashMap<>(4);
    }
    backIn.put(peer, round);
  }

  /** Tells the peers that have come back, by turns with the rounds in which they have. */
  void tellReturns(IntConsumer taker) {
    if (backIn != null) {
      new TreeMap<>(backIn)
          .forEach((peer, round) -> {
            taker.accept(peer);
            taker.accept(round);
          });
    }
  }

  /** Notes that a peer has finished and took no message; the owner is not told yet. */
  void hasFinished(int peer) {
    if (finished == null) {
      finished = new BitSet();
    }
    if (!finished.get(peer)) {
      finished.set(peer);
      knowsFinished = false;
    }
  }

  /** Tells the owner that those who have finished answer nothing; false if it knows. */
  boolean tellFinished() {
    boolean isNews = finished != null && !knowsFinished;
    knowsFinished |= isNews;
    return isNews;
  }

  /** The owner begins to wait for a condition, or has ended to. */
  void awaitsCondition(boolean waits) {
    awaitsCondition = waits;
    wentMeanwhile = null;
  }

  boolean isGone(int peer) {
    return gone != null && gone.get(peer);
  }

  /** Whether nothing of {@code round} comes from a peer any more. */
  boolean isGone(int peer, int round) {
    return (isGone(peer)
            && round >= (from == null ? 0 : from.getOrDefault(peer, 0))
            && !isBackIn(peer, round))
        || (backIn != null && backIn.getOrDefault(peer, 0) > round);
  }

  /** Whether one who is gone is known to be there again in a round. */
  private boolean isBackIn(int peer, int round) {
    Integer known = until == null ? null : until.get(peer);
    return known != null && round >= known;
  }

  /** Whether a peer answers nothing, as far as the owner knows in {@code round}. */
  boolean isSilent(int peer, int round) {
    return (isGone(peer) && !isBackIn(peer, round))
        || (wentMeanwhile != null && wentMeanwhile.get(peer))
        || (knowsFinished && finished != null && finished.get(peer));
  }
}
