package dev.grapevine.runtime.churn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComingAbsencesTest {

  private final Absence early = rounds(2, 4);
  private final Absence late = rounds(6, 9);
  private final ComingAbsences ahead = new ComingAbsences(List.of(early, late).iterator());

  private static Absence rounds(int from, int to) {
    return new Absence(Moment.ofRound(from), Moment.ofRound(to), ComesBackWith.FRESH);
  }

  @Test
  void thoseThatAreOverArePassedOver() {
    ahead.passOver(3);
    assertThat(ahead.next()).isEqualTo(early);
    ahead.passOver(4);
    assertThat(ahead.next()).isEqualTo(late);
    ahead.passOver(100);
    assertThat(ahead.next()).isNull();
  }

  @Test
  void oneThatNeverEndsIsNotPassedOver() {
    Absence forGood = new Absence(Moment.ofRound(1), null, ComesBackWith.FRESH);
    ComingAbsences last = new ComingAbsences(List.of(forGood).iterator());
    last.passOver(Long.MAX_VALUE, 100);
    assertThat(last.next()).isEqualTo(forGood);
  }

  @Test
  void oneByTheClockEndsAtItsTimeWhateverTheRound() {
    Absence second =
        new Absence(Moment.START, new Moment(false, 1_000_000_000L), ComesBackWith.FRESH);
    ComingAbsences times = new ComingAbsences(List.of(second).iterator());
    times.passOver(100);
    times.passOver(999_999_999L, 100);
    assertThat(times.next()).isEqualTo(second);
    times.passOver(1_000_000_000L, 0);
    assertThat(times.next()).isNull();
  }

  @Test
  void aPlanGoesOnWhereItHadBeenFollowedTo() {
    ahead.advance();
    ComingAbsences resumed = new ComingAbsences(List.of(early, late).iterator());
    resumed.advanceTo(ahead.taken());
    assertThat(resumed.next()).isEqualTo(late);
  }
}
