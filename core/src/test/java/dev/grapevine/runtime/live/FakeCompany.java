package dev.grapevine.runtime.live;

import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.report.AverageCollector;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Workers of one machine with a node each, node n at worker n, of which no other says anything. */
class FakeCompany implements Company {

  private final int workers;

  FakeCompany(int workers) {
    this.workers = workers;
  }

  @Override
  public int workers() {
    return workers;
  }

  @Override
  public int workerOf(int node) {
    return node;
  }

  @Override
  public int onThisMachine() {
    return workers;
  }

  @Override
  public Transport open(Inbox inbox) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long begin(Supplier<Standing> standing, List<NodeLife> own) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Cutting cutting() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Comings comings() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isBack() {
    return false;
  }

  @Override
  public boolean keepsMessages() {
    return false;
  }

  @Override
  public void keptBy(Comeback comeback) {}

  @Override
  public void keepsNoMore(String reason) {}

  @Override
  public AverageCollector.Taker averages() {
    return (sum, now) -> {};
  }

  @Override
  public void end(Verdict verdict) {}

  @Override
  public @Nullable Verdict verdict() {
    return null;
  }

  @Override
  public void nodesEnded() {}

  @Override
  public boolean isOver() {
    return false;
  }
}
