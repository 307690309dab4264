package dev.grapevine.runtime.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Message;
import dev.grapevine.network.Inbox;
import dev.grapevine.network.MemoryTransport;
import dev.grapevine.network.Transport;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.Observer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a busy machine a node may get no processor between a message's arrival and what follows. */
@Timeout(60)
class SlowSenderTest {

  /** So often that the watchdog must have looked for stalls several times. */
  private static final int GLANCES = 10;

  private final CountDownLatch otherWaits = new CountDownLatch(1);
  private final Semaphore glances = new Semaphore(0);

  /** Counts how often the watchdog looks, once it is to be counted. */
  private final Observer counting =
      new Observer() {
        @Override
        public @Nullable String stopReason() {
          if (otherWaits.getCount() == 0) {
            glances.release();
          }
          return null;
        }
      };

  /** Memory between two nodes. */
  private abstract static class Slow implements Transport {
    protected final Transport memory;

    Slow(Inbox inbox) {
      memory = new MemoryTransport(inbox, 2);
    }

    @Override
    public void sayGoodbye(int node) {
      memory.sayGoodbye(node);
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  /** Lets node 0 return late from sending its message of round 1, which has been taken. */
  private final class Late extends Slow {

    Late(Inbox inbox) {
      super(inbox);
    }

    @Override
    public void send(int receiver, Message message) throws IOException, InterruptedException {
      memory.send(receiver, message);
      if (message.sender() == 1 && message.round() == 2) {
        otherWaits.countDown();
      }
      if (message.sender() == 0 && message.round() == 1) {
        otherWaits.await();
        glances.acquire(GLANCES);
      }
    }
  }

  /** Lets node 0 open a connection for long before it can send its message of round 1. */
  private final class SlowToOpen extends Slow {
    private volatile boolean opening;

    SlowToOpen(Inbox inbox) {
      super(inbox);
    }

    @Override
    public void send(int receiver, Message message) throws IOException, InterruptedException {
      if (message.sender() == 0 && message.round() == 1) {
        opening = true;
        otherWaits.countDown();
        glances.acquire(4 * GLANCES);
        opening = false;
      }
      memory.send(receiver, message);
    }

    @Override
    public boolean isOpening() {
      return opening;
    }
  }

  @Test
  void whoHasYetToNoticeThatItsMessageWasTakenIsNotStalled() {
    assertIsDone(Late::new, Duration.ofSeconds(30));
  }

  /** For longer than patience lasts: it waits for nobody who could be late. */
  @Test
  void whoOpensAConnectionIsNotStalled() {
    assertIsDone(SlowToOpen::new, Duration.ofSeconds(1));
  }

  private void assertIsDone(Function<Inbox, Transport> transport, Duration stallAfter) {
    Plan plan = Runs.plan(Runs.quadratics(2, 1, node -> new DPsgd()), CirculantTopology.full(2), 4);
    Outcome outcome;
    try (ComputePool pool = new ComputePool(2)) {
      LiveRun run = new LiveRun(plan, counting, pool, transport, null, stallAfter.toNanos());
      outcome = run.run().outcome(Optional.empty(), Optional.empty(), Duration.ZERO);
    }
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
  }
}
