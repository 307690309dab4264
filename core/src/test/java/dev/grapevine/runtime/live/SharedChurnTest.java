package dev.grapevine.runtime.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.network.MemoryTransport;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Company.LifeOrder.Promise;
import dev.grapevine.runtime.Company.NodeLife;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.PlannedChurn;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.fault.MessageFaults;
import dev.grapevine.runtime.report.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two workers with a node each; this one has node 0, and is asked about node 1. */
class SharedChurnTest {

  private static final int NO_ROUND = NodeLife.NO_ROUND;

  private final List<String> promises = new ArrayList<>();
  private boolean connected;
  private Company.Comings.@Nullable Listener listener;
  private final ComputePool pool = new ComputePool(1);
  private final LiveRun run =
      new LiveRun(
          plan(),
          Observer.NONE,
          pool,
          inbox -> new MemoryTransport(inbox, 2),
          new Two(),
          Long.MAX_VALUE);
  private final SharedChurn shared = Objects.requireNonNull(run.churn().shared());

  private static Plan plan() {
    return new Plan(
        new TreeMap<>(Map.of(0, Runs.quadratics(2, 1, node -> new DPsgd()).getFirst())),
        2,
        CirculantTopology.full(2),
        20,
        1,
        FaultPolicy.WAIT,
        new Faults(
            List.of(),
            MessageFaults.NONE,
            new PlannedChurn()
                .rounds(1, 2, 5, ComesBackWith.NEIGHBOUR)
                .rounds(1, 6, 9, ComesBackWith.NEIGHBOUR)),
        Saving.NONE);
  }

  @AfterEach
  void close() {
    run.churn().close();
    pool.close();
  }

  private void hearDown(int life) throws InterruptedException {
    Objects.requireNonNull(listener).wentDown(new NodeLife(1, life, true, NO_ROUND, false), 0);
    CountDownLatch isHeard = new CountDownLatch(1);
    run.churn().later(isHeard::countDown);
    isHeard.await();
  }

  @Test
  void nothingIsPromisedToOneWhoCannotBeReachedYet() throws InterruptedException {
    hearDown(0);
    Promise asked = new Promise(1, 1, true, NO_ROUND);

    assertThat(shared.carryOut(asked)).isFalse();
    assertThat(promises).isEmpty();
    connected = true;
    assertThat(shared.carryOut(asked)).isTrue();

    assertThat(promises).containsExactly("life 1 in 1");
  }

  /** It was lost again while it was waited for; whatever is to be done next must not wait too. */
  @Test
  void aQuestionAboutALifeThatIsOverIsAnsweredAtOnce() throws InterruptedException {
    hearDown(1);

    assertThat(shared.carryOut(new Promise(1, 1, true, NO_ROUND))).isTrue();

    assertThat(promises).containsExactly("life 1 in 1");
    assertThat(run.lives().isDown(1)).isTrue();
  }

  /** It speaks to its neighbours but takes no part, while others begin a round that it misses. */
  @Test
  void aQuestionAboutOneWhoIsToMissTheRoundsThatHaveBegunIsAnswered() throws InterruptedException {
    connected = true;
    hearDown(0);
    shared.carryOut(new Promise(1, 1, false, NO_ROUND));
    shared.begins(6);
    assertThat(run.lives().isDown(1)).isTrue();

    assertThat(shared.carryOut(new Promise(1, 1, true, NO_ROUND))).isTrue();

    assertThat(promises).containsExactly("life 1 in 0", "life 1 in 1");
  }

  private final class Listening implements Company.Comings {
    @Override
    public void heardBy(Listener hears) {
      listener = hears;
    }

    @Override
    public List<NodeLife> atStart() {
      return List.of();
    }

    @Override
    public void wentDown(NodeLife life, int from) {}

    @Override
    public void isDue(int node, int life) {}

    @Override
    public void comesBack(int node, int life, boolean joins, int earliest, boolean isSure) {}

    @Override
    public void promise(Promise asked, int round) {
      promises.add("life %d in %d".formatted(asked.life(), round));
    }

    @Override
    public void done() {}

    @Override
    public boolean isConnected(int worker) {
      return connected;
    }
  }

  private static final class NoCuts implements Company.Cutting {
    @Override
    public void wakeBy(Runnable wake) {}

    @Override
    public void awaited() {}

    @Override
    public Company.@Nullable Order next() {
      return null;
    }

    @Override
    public void rests(int number, int round, long[] sent, long[] settled) {}

    @Override
    public void taken() {}

    @Override
    public void wentOn() {}
  }

  private final class Two extends FakeCompany {
    Two() {
      super(2);
    }

    @Override
    public Cutting cutting() {
      return new NoCuts();
    }

    @Override
    public Comings comings() {
      return new Listening();
    }
  }
}
