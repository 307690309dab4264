package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers and conditions, on every clock. */
@Timeout(60)
class HandlersTest {

  private static final int PING = 1;
  private static final int PONG = 2;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  @FunctionalInterface
  private interface Part {
    void play(Node self) throws InterruptedException;
  }

  private static Outcome run(Clock clock, FaultPolicy policy, Part first, Part second) {
    Protocol protocol =
        self -> {
          if (self.id() == 0) {
            first.play(self);
          } else {
            second.play(self);
          }
        };
    List<NodeSetup> nodes = Runs.quadratics(2, 1, id -> protocol);
    Plan plan = new Plan(nodes, CirculantTopology.full(2), 1, 1, policy, List.of());
    return clock.runtime().run(plan, Observer.NONE);
  }

  private static Outcome run(Clock clock, Part first, Part second) {
    return run(clock, FaultPolicy.WAIT, first, second);
  }

  private static void assertDone(Outcome outcome) {
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
  }

  private static void ping(Node self) throws InterruptedException {
    self.send(1 - self.id(), PING, 0, Payload.empty());
  }

  private static void answerPings(Node self) {
    self.onMessage(PING, ping -> self.send(ping.sender(), PONG, 0, Payload.empty()));
  }

  /** The training of node 0 ends only after node 1 has had its answer. */
  @ParameterizedTest
  @EnumSource(names = {"LIVE_IN_MEMORY", "LIVE_OVER_TCP"})
  void aHandlerAnswersWhileItsNodeTrains(Clock clock) {
    CountDownLatch answered = new CountDownLatch(1);
    assertDone(
        run(
            clock,
            self -> {
              answerPings(self);
              self.train(() -> {
                awaitUninterrupted(answered);
                return 0;
              });
            },
            self -> {
              ping(self);
              assertThat(self.receive(LONG)).isPresent();
              answered.countDown();
            }));
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "SIMULATED")
  void aHandlerAnswersInTheMiddleOfATraining(Clock clock) {
    List<Duration> answers = new ArrayList<>();
    assertDone(
        run(
            clock,
            self -> {
              answerPings(self);
              self.train();
            },
            self -> {
              ping(self);
              self.receive(LONG);
              answers.add(self.time());
            }));
    // Two ways of 20 to 25 ms, while a training takes 100 ms.
    assertThat(answers.getFirst()).isBetween(Duration.ofMillis(30), Duration.ofMillis(60));
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerAnswersWhileItsNodeSleepsOrReceives(Clock clock) {
    for (boolean sleeps : new boolean[] {true, false}) {
      AtomicBoolean answered = new AtomicBoolean();
      assertDone(
          run(
              clock,
              self -> {
                answerPings(self);
                while (!answered.get()) {
                  if (sleeps) {
                    self.sleep(Duration.ofMillis(30));
                  } else {
                    self.receive(Duration.ofMillis(30));
                  }
                }
              },
              self -> {
                ping(self);
                self.receive(LONG);
                answered.set(true);
              }));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatCameBeforeTheHandlerWasSetIsNotLost(Clock clock) {
    AtomicInteger handled = new AtomicInteger();
    assertDone(
        run(
            clock,
            self -> {
              AtomicBoolean ponged = new AtomicBoolean();
              self.onMessage(PONG, pong -> ponged.set(true));
              assertThat(self.await(ponged::get, LONG)).isTrue();
              self.onMessage(PING, ping -> handled.incrementAndGet());
              assertThat(self.await(() -> handled.get() == 2, LONG)).isTrue();
            },
            self -> {
              // The pings have arrived before the pong that node 0 waits for.
              ping(self);
              ping(self);
              self.sleep(Duration.ofMillis(100));
              self.send(0, PONG, 0, Payload.empty());
            }));
    assertThat(handled).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheTagsOfAHandlerAreHandled(Clock clock) {
    AtomicInteger handled = new AtomicInteger();
    assertDone(
        run(
            clock,
            self -> {
              self.onMessage(PING, ping -> handled.incrementAndGet());
              assertThat(self.receive(LONG).orElseThrow().tag()).isEqualTo(PONG);
              self.await(() -> handled.get() == 1, LONG);
            },
            self -> {
              ping(self);
              self.send(0, PONG, 0, Payload.empty());
            }));
    assertThat(handled).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource
  void aConditionThatNeverHoldsTimesOut(Clock clock) {
    List<Boolean> results = new ArrayList<>();
    assertDone(
        run(
            clock,
            self -> {
              Duration before = self.time();
              results.add(self.await(() -> false, Duration.ofMillis(20)));
              assertThat(self.time().minus(before)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
              results.add(self.await(() -> true, Duration.ZERO));
            },
            self -> {}));
    assertThat(results).containsExactly(false, true);
  }

  @ParameterizedTest
  @EnumSource
  void whatAHandlerThrowsIsTheNodesFailure(Clock clock) {
    Outcome outcome =
        run(
            clock,
            self -> {
              self.onMessage(
                  PING,
                  ping -> {
                    throw new IllegalStateException("cannot handle this");
                  });
              self.await(() -> false, FOR_EVER);
            },
            HandlersTest::ping);
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.FAILED);
    assertThat(outcome.reason())
        .isEqualTo("node 0 failed in round 0: IllegalStateException: cannot handle this");
  }

  @ParameterizedTest
  @EnumSource
  void nonsenseIsLeftOutOrNamesItsSender(Clock clock) {
    AtomicInteger handled = new AtomicInteger();
    Part receiver =
        self -> {
          self.onMessage(
              PING,
              ping -> {
                if (handled.incrementAndGet() == 1) {
                  throw new MalformedPayloadException("no such thing");
                }
              });
          self.await(() -> handled.get() == 2, FOR_EVER);
        };
    Part sender =
        self -> {
          ping(self);
          ping(self);
        };
    assertDone(run(clock, FaultPolicy.goOn(LONG), receiver, sender));
    handled.set(0);
    Outcome outcome = run(clock, receiver, sender);
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.FAILED);
    assertThat(outcome.reason())
        .contains("malformed payload from node 1 in round 0: no such thing");
  }

  /** A mailbox is not a place to keep everything that a fast sender can think of. */
  @ParameterizedTest
  @EnumSource(names = "LIVE_IN_MEMORY")
  void whoIsNotHeardHasToWait(Clock clock) {
    int many = 10_000;
    Part sendsTagged =
        self -> {
          answerPings(self);
          for (int i = 0; i < many; i++) {
            ping(self);
          }
        };
    Part sendsModels =
        self -> {
          for (int round = 0; round < many; round++) {
            Payload payload = Payload.empty();
            self.model().send(round, self.neighbours(round), peer -> payload);
          }
        };
    for (Part sender : List.of(sendsTagged, sendsModels)) {
      Outcome outcome = run(clock, sender, sender);
      assertThat(outcome.ending()).isEqualTo(Outcome.Ending.STALLED);
      assertThat(outcome.reason()).contains("waits for room at node");
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoThatWaitForEachOtherAreStalled(Clock clock) {
    Part waits =
        self -> {
          answerPings(self);
          self.await(() -> false, FOR_EVER);
        };
    Outcome outcome = run(clock, waits, waits);
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.STALLED);
    assertThat(outcome.reason()).contains("node 0 waits").contains("node 1 waits");
  }

  @ParameterizedTest
  @EnumSource
  void aRunThatEndsStopsThoseWhoWait(Clock clock) {
    for (int way = 0; way < 3; way++) {
      int chosen = way;
      Outcome outcome =
          run(
              clock,
              self -> {
                answerPings(self);
                switch (chosen) {
                  case 0 -> self.await(() -> false, LONG);
                  case 1 -> self.sleep(LONG);
                  default -> self.receive(LONG);
                }
              },
              self -> {
                throw new IllegalStateException("enough");
              });
      assertThat(outcome.ending()).isEqualTo(Outcome.Ending.FAILED);
      assertThat(outcome.nodes().getFirst().status()).isEqualTo(NodeOutcome.Status.STOPPED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void interruptingTheCallerStopsANodeThatWaits(Clock clock) {
    Thread caller = Thread.currentThread();
    Part waits =
        self -> {
          answerPings(self);
          self.train(() -> {
            caller.interrupt();
            return 0;
          });
          self.await(() -> false, FOR_EVER);
        };
    Part sleeps =
        self -> {
          while (true) {
            self.sleep(LONG);
          }
        };
    Outcome outcome = run(clock, waits, sleeps);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
  }
}
