package dev.grapevine.runtime;

import dev.grapevine.runtime.Company.NodeLife;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What is known here of nodes of other processes: by word of who has them, and by their plans,
 * which everybody knows. Word may come late and in any order, so that each life has its number; of
 * one that is over nothing is news. Safe for concurrent use; what it hears it enters into {@link
 * Lives}, whose lock it takes.
 */
public final class Hearsay {

  /**
   * What was told of one who is down.
   *
   * @param from the first round that it is not there for
   */
  private record Word(NodeLife life, int from) {}

  private final Lives lives;
  private final List<LifeCourse> elsewhere;
  private final AtomicReferenceArray<@Nullable Word> words;

  /** Of whom it was asked for already that they come back. */
  private final BitSet dueTold = new BitSet();

  public Hearsay(Plan plan, Lives lives) {
    this.lives = lives;
    elsewhere = lives.elsewhere();
    words = new AtomicReferenceArray<>(elsewhere.isEmpty() ? 0 : plan.nodes());
  }

  /** Learns where a node is when the run begins, or this process comes back. */
  public void learn(NodeLife told) {
    synchronized (lives) {
      follow(told, 0);
    }
  }

  private void follow(NodeLife told, int from) {
    dueTold.clear(told.node());
    words.set(told.node(), new Word(told, from));
    lives.of(told.node()).follow(told);
  }

  /**
   * Hears that a life is over; false if that is old news.
   *
   * @param from the first round that it is not there for
   */
  public boolean hearDown(NodeLife told, int from) {
    synchronized (lives) {
      boolean isNews = told.number() >= lives.returns(told.node());
      if (isNews) {
        follow(told, from);
      }
      return isNews;
    }
  }

  /**
   * Hears that a node begins a life; false if that is old news.
   *
   * @param sure the round in which it takes part by its plan; {@link Entry#ANY_ROUND} if that is
   *     open
   */
  public boolean hearUp(int node, int number, int sure) {
    synchronized (lives) {
      if (number <= lives.returns(node)) {
        return isPresent(node, number);
      }
      lives.of(node).hasBegun(number, sure);
      return true;
    }
  }

  /** Hears that a node takes part; false if that is old news. */
  public boolean hearIn(int node, int number) {
    synchronized (lives) {
      boolean isNews = isPresent(node, number);
      if (isNews) {
        lives.of(node).joined(0);
      }
      return isNews;
    }
  }

  private boolean isPresent(int node, int number) {
    return number == lives.returns(node) && !lives.isDown(node);
  }

  /** Whether a life of a node is over as far as is known here, by its plan if not by word. */
  public boolean isPast(int node, int number) {
    synchronized (lives) {
      return number <= lives.returns(node) && !isPresent(node, number);
    }
  }

  /**
   * Whether one who is down was, or is, there for a round that it may not have been through yet.
   */
  public boolean isThereFor(int node, int round) {
    Word word = words.get(node);
    return word != null && round < word.from();
  }

  /** Whether a message to one who is down will be heard, since it is back by then for certain. */
  public boolean isSureToHear(int node, int round) {
    // Asked in this order: word is set first, and only then is it down.
    Word word = lives.isDown(node) ? words.get(node) : null;
    return word != null && word.life().isSure() && round >= word.life().due();
  }

  /** Those who are back once someone begins {@code round}, each told of once. */
  public List<Integer> dueBack(int round) {
    synchronized (lives) {
      List<Integer> due = new ArrayList<>(0);
      for (LifeCourse course : elsewhere) {
        int node = course.node();
        if (course.isDown() && !dueTold.get(node) && isDue(words.get(node), round)) {
          dueTold.set(node);
          due.add(node);
        }
      }
      return due;
    }
  }

  private static boolean isDue(@Nullable Word word, int round) {
    return word != null && word.life().due() != NodeLife.NO_ROUND && word.life().due() <= round;
  }

  /**
   * Those who miss a round by their plans which someone here is about to begin: they are as good as
   * down, though they may not be there yet.
   */
  public List<NodeLife> plannedToMiss(int round) {
    synchronized (lives) {
      List<NodeLife> absent = new ArrayList<>(0);
      for (LifeCourse course : elsewhere) {
        if (course.goesDownBefore(round)) {
          absent.add(course.toldDown());
        }
      }
      return absent;
    }
  }
}
