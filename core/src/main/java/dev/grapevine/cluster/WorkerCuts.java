package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A worker's part in saving a run: passes on what the coordinator and its own nodes say. */
public final class WorkerCuts implements Company.Cutting {

  /** Saves the nodes of this process. */
  public interface Saver {

    /** Lets no node end a later round than the latest, which is returned; -1 for none. */
    int hold();

    /** Saves at the end of this round, too, and holds nobody any more. */
    void saveAfter(int round);
  }

  private final Consumer<Control> outbox;
  private final ArrayDeque<Company.CutOrder> orders = new ArrayDeque<>();

  /** An order that must not be carried out before so many steps of cuts have been. */
  private record Life(Company.LifeOrder order, long steps) {}

  /**
   * These come before a question whether all rest: some may rest only then. What is to be done to
   * save nodes keeps its place among them.
   */
  private final ArrayDeque<Life> lives = new ArrayDeque<>();

  private long stepsOrdered;
  private long stepsDone;
  private volatile @Nullable Saver saver;
  private volatile Runnable wake = () -> {};

  WorkerCuts(Consumer<Control> outbox) {
    this.outbox = outbox;
  }

  private void say(CutTalk talk) {
    outbox.accept(new Control.Cut(talk));
  }

  /** Who saves; to be told before the run begins. */
  public void savedBy(Saver savesNodes) {
    saver = savesNodes;
  }

  /**
   * The nodes of this process are on disk.
   *
   * @param time when they were saved, on the run's clock in ns
   */
  public void written(int rounds, long time, String part) {
    say(new CutTalk.Part(rounds, time, part));
  }

  /**
   * Has the run saved at the next end of a round, and ended after that.
   *
   * @return false if nothing is ever saved
   */
  public boolean saveAndStop() {
    if (saver == null) {
      return false;
    }
    say(new CutTalk.SaveWanted());
    return true;
  }

  void hear(CutTalk talk) {
    Saver saves = saver;
    switch (talk) {
      case CutTalk.Hold _ -> say(new CutTalk.Held(saves == null ? -1 : saves.hold()));
      case CutTalk.SaveAfter after -> {
        if (saves != null) {
          saves.saveAfter(after.round());
        }
      }
      case CutTalk.AskRest ask -> order(new Company.CutOrder.Rest(ask.number()));
      case CutTalk.Take take -> order(new Company.CutOrder.Take(take.round()));
      case CutTalk.GoOn _ -> order(new Company.CutOrder.GoOn());
      default ->
          throw new MalformedPayloadException(
              "not for a worker: " + talk.getClass().getSimpleName());
    }
  }

  private void order(Company.CutOrder order) {
    synchronized (orders) {
      orders.add(order);
      stepsOrdered += isStep(order) ? 1 : 0;
    }
    wake.run();
  }

  /** Something is to be done about a node that comes back. */
  void order(Company.LifeOrder order) {
    synchronized (orders) {
      lives.add(new Life(order, stepsOrdered));
    }
    wake.run();
  }

  private static boolean isStep(Company.CutOrder order) {
    return !(order instanceof Company.CutOrder.Rest);
  }

  /** The oldest order about a node has been carried out. */
  void lifeDone() {
    synchronized (orders) {
      lives.remove();
    }
  }

  private void cutDone() {
    synchronized (orders) {
      stepsDone += isStep(orders.remove()) ? 1 : 0;
    }
  }

  /** What was too early may be possible now. */
  void lookAgain() {
    wake.run();
  }

  @Override
  public void wakeBy(Runnable wakes) {
    wake = wakes;
  }

  @Override
  public void awaited() {
    say(new CutTalk.Awaited());
  }

  @Override
  public Company.@Nullable Order next() {
    synchronized (orders) {
      Life life = lives.peek();
      return life != null && life.steps() <= stepsDone ? life.order() : orders.peek();
    }
  }

  @Override
  public void rests(int number, int round, long[] sent, long[] settled) {
    cutDone();
    say(new CutTalk.Rests(number, round, sent, settled));
  }

  @Override
  public void taken() {
    cutDone();
    say(new CutTalk.Taken());
  }

  @Override
  public void wentOn() {
    cutDone();
  }
}
