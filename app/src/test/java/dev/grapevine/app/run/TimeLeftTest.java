package dev.grapevine.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeLeftTest {

  private static final long SECOND = 1_000_000_000;
  private static final int ROUNDS = 20;

  private final EvaluationSettings everyFifth =
      Experiment.parse("name = \"x\"\n[evaluation]\nevery = 5\n").evaluation();
  private long now;

  private TimeLeft after(int rounds, TimeLeft left) {
    for (int round = 0; round < rounds; round++) {
      // The first round is slow because the compiler is at work; evaluation takes a minute.
      now += round == 0 ? 100 * SECOND : everyFifth.due(round, ROUNDS) ? 61 * SECOND : SECOND;
      left.at((round + 1.0) / ROUNDS, now);
    }
    return left;
  }

  @Test
  void nothingIsSaidBeforeAnythingIsKnown() {
    assertThat(new TimeLeft(everyFifth, ROUNDS, 0).left(SECOND)).isEmpty();
  }

  @Test
  void countsEvaluationsAndForgetsTheFirstRound() {
    TimeLeft left = after(7, new TimeLeft(everyFifth, ROUNDS, 0));

    // 13 rounds are left, and nodes evaluate in three of them.
    assertThat(left.left(now)).contains(Duration.ofSeconds(10 + 3 * 61));
  }

  @Test
  void theTimeSinceTheLastRoundIsTakenOff() {
    TimeLeft left = after(19, new TimeLeft(everyFifth, ROUNDS, 0));

    assertThat(left.left(now + 11 * SECOND)).contains(Duration.ofSeconds(50));
    assertThat(left.left(now + 500 * SECOND)).contains(Duration.ZERO);
  }

  @Test
  void severalRoundsAtOnceAreSpread() {
    TimeLeft left = new TimeLeft(null, ROUNDS, 0);
    left.at(0.1, 200 * SECOND);
    left.at(0.5, 208 * SECOND);

    assertThat(left.left(208 * SECOND)).contains(Duration.ofSeconds(10));
  }
}
