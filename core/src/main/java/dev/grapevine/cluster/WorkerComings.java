package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** How a worker hears and tells of nodes that go down and come back. */
final class WorkerComings implements Company.Comings {

  private final Consumer<Control> outbox;
  private final WorkerCuts orders;
  private final IntPredicate connected;
  private volatile @Nullable Listener listener;
  private volatile List<Company.NodeLife> atStart = List.of();

  /**
   * @param orders where this worker finds what it is to do, one thing after the other
   * @param connected whether there is a connection to a worker
   */
  WorkerComings(Consumer<Control> outbox, WorkerCuts orders, IntPredicate connected) {
    this.outbox = outbox;
    this.orders = orders;
    this.connected = connected;
  }

  void started(List<Company.NodeLife> lives) {
    atStart = lives;
  }

  void hear(LifeTalk talk) {
    Listener hears = listener;
    switch (talk) {
      case LifeTalk.Down down -> {
        if (hears != null) {
          hears.wentDown(
              new Company.NodeLife(down.node(), down.life(), true, down.due(), down.isSure()),
              down.from());
        }
      }
      case LifeTalk.Due due -> {
        if (hears != null) {
          hears.isDue(due.node(), due.life(), due.isFirst());
        }
      }
      case LifeTalk.NobodyLeft _ -> {
        if (hears != null) {
          hears.nobodyIsLeft();
        }
      }
      case LifeTalk.AskRound ask ->
          orders.order(
              new Company.LifeOrder.Promise(ask.node(), ask.life(), ask.joins(), ask.sure()));
      case LifeTalk.Enters enters ->
          orders.order(
              new Company.LifeOrder.Enter(
                  enters.node(),
                  enters.life(),
                  enters.joins(),
                  enters.round(),
                  enters.savedAfter()));
      default ->
          throw new MalformedPayloadException(
              "not for a worker: " + talk.getClass().getSimpleName());
    }
  }

  @Override
  public void heardBy(Listener hears) {
    listener = hears;
  }

  @Override
  public List<Company.NodeLife> atStart() {
    return atStart;
  }

  private void say(LifeTalk talk) {
    outbox.accept(new Control.Life(talk));
  }

  @Override
  public void wentDown(Company.NodeLife life, int from) {
    say(new LifeTalk.Down(life.node(), life.number(), from, life.due(), life.isSure()));
  }

  @Override
  public void isDue(int node, int life) {
    say(new LifeTalk.Due(node, life, false));
  }

  @Override
  public void comesBack(int node, int life, boolean joins, int earliest, boolean isSure) {
    say(new LifeTalk.Returns(node, life, joins, earliest, isSure));
  }

  @Override
  public void promise(Company.LifeOrder.Promise asked, int round) {
    say(new LifeTalk.Promised(asked.node(), asked.life(), round));
  }

  @Override
  public void done() {
    orders.lifeDone();
  }

  @Override
  public boolean isConnected(int worker) {
    return connected.test(worker);
  }
}
