package dev.grapevine.runtime;

import static dev.grapevine.runtime.Company.NodeLife.NO_ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.Company.NodeLife;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.fault.MessageFaults;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Node 0 is here; node 1, in another process, misses the rounds from 2 to 4 and from 6 to 8. */
class HearsayTest {

  private final Plan plan =
      new Plan(
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
                  .rounds(1, 2, 5, ComesBackWith.MEMORY)
                  .rounds(1, 6, 9, ComesBackWith.NEIGHBOUR)),
          Saving.NONE);
  private final Lives lives = new Lives(plan);
  private final Hearsay hearsay = new Hearsay(plan, lives);

  private static NodeLife down(int number) {
    return new NodeLife(1, number, true, 5, true);
  }

  @Test
  void wordOfALifeThatIsOverIsNoNews() {
    assertThat(hearsay.hearDown(down(1), 2)).isTrue();
    assertThat(hearsay.hearDown(down(0), 2)).isFalse();
    assertThat(hearsay.hearUp(1, 1, NO_ROUND)).isFalse();
    assertThat(hearsay.isPast(1, 1)).isTrue();

    assertThat(hearsay.hearUp(1, 2, NO_ROUND)).isTrue();
    assertThat(hearsay.hearIn(1, 1)).isFalse();
    assertThat(lives.isIn(1)).isFalse();
    assertThat(hearsay.hearIn(1, 2)).isTrue();
    assertThat(lives.isIn(1)).isTrue();
    assertThat(lives.returns(1)).isEqualTo(2);
  }

  @Test
  void oneWhoIsDownHearsWhatIsSaidInRoundsInWhichItWasOrWillBeThere() {
    hearsay.hearDown(down(0), 2);

    assertThat(hearsay.isThereFor(1, 1)).isTrue();
    assertThat(hearsay.isThereFor(1, 2)).isFalse();
    assertThat(hearsay.isSureToHear(1, 4)).isFalse();
    assertThat(hearsay.isSureToHear(1, 5)).isTrue();
  }

  @Test
  void itIsToldOnceThatSomeoneIsDueBack() {
    hearsay.hearDown(down(0), 2);

    assertThat(hearsay.dueBack(4)).isEmpty();
    assertThat(hearsay.dueBack(5)).containsExactly(1);
    assertThat(hearsay.dueBack(6)).isEmpty();
    hearsay.hearDown(down(1), 6);
    assertThat(hearsay.dueBack(6)).containsExactly(1);
  }

  @Test
  void allKnowByThePlanWhoMissesARound() {
    assertThat(hearsay.plannedToMiss(1)).isEmpty();
    assertThat(hearsay.plannedToMiss(2)).containsExactly(down(0));
    hearsay.hearDown(down(0), 2);
    assertThat(hearsay.plannedToMiss(2)).isEmpty();

    hearsay.hearUp(1, 1, 5);
    assertThat(hearsay.plannedToMiss(5)).isEmpty();
    assertThat(hearsay.plannedToMiss(6)).containsExactly(new NodeLife(1, 1, true, 9, false));
  }
}
