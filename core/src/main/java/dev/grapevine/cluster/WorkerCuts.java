package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private final ConcurrentLinkedQueue<Company.CutOrder> orders = new ConcurrentLinkedQueue<>();
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
    orders.add(order);
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
  public Company.@Nullable CutOrder next() {
    return orders.peek();
  }

  @Override
  public void rests(int number, int round, long[] sent, long[] settled) {
    orders.remove();
    say(new CutTalk.Rests(number, round, sent, settled));
  }

  @Override
  public void taken() {
    orders.remove();
    say(new CutTalk.Taken());
  }

  @Override
  public void wentOn() {
    orders.remove();
  }
}
