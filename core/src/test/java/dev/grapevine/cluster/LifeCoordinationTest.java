package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.cluster.LifeTalk.AskRound;
import dev.grapevine.cluster.LifeTalk.Down;
import dev.grapevine.cluster.LifeTalk.Due;
import dev.grapevine.cluster.LifeTalk.Enters;
import dev.grapevine.cluster.LifeTalk.NobodyLeft;
import dev.grapevine.cluster.LifeTalk.Promised;
import dev.grapevine.cluster.LifeTalk.Returns;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company.NodeLife;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeOutcome.Status;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.runtime.report.Traffic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three workers with two nodes each: 0 and 1, 2 and 3, 4 and 5. */
final class LifeCoordinationTest {

  private static final int WORKERS = 3;
  private static final int NO_ROUND = NodeLife.NO_ROUND;

  private final List<Remembering> workers = new ArrayList<>();
  private int savedAfter = -1;
  private final LifeCoordination lives =
      new LifeCoordination(
          Placement.blocks(6, 6, WORKERS),
          () -> workers.stream().map(Remembering::member).filter(each -> !each.isGone()).toList(),
          () -> savedAfter);

  LifeCoordinationTest() {
    for (int rank = 0; rank < WORKERS; rank++) {
      workers.add(new Remembering(rank, WORKERS));
      lives.learn(workers.get(rank).member(), List.of(up(2 * rank, 0), up(2 * rank + 1, 0)));
    }
  }

  private static NodeLife up(int node, int number) {
    return new NodeLife(node, number, false, NO_ROUND, false);
  }

  private void say(int worker, LifeTalk talk) {
    lives.take(workers.get(worker).member(), talk);
  }

  private List<LifeTalk> heard(int worker) throws IOException {
    return workers.get(worker).heard().stream()
        .map(message -> ((Control.Life) message).talk())
        .toList();
  }

  /** Takes out what the workers were told so far, which is of no interest. */
  private void forget() throws IOException {
    for (int worker = 0; worker < WORKERS; worker++) {
      heard(worker);
    }
  }

  private void lose(int worker) {
    workers.get(worker).member().setGone();
    lives.lost(worker);
    lives.nodesAreDown(worker);
  }

  /** A worker that was lost is admitted again. */
  private void replace(int worker) {
    workers.set(worker, new Remembering(worker, WORKERS));
  }

  /** A node goes down and asks to come back in its next life, without knowing where. */
  private void goesDownAndReturns(int worker, int node, int life, int ownRound) {
    say(worker, new Down(node, life, ownRound, NO_ROUND, false));
    say(worker, new Returns(node, life + 1, true, ownRound, false));
  }

  private NodeLife inBook(int node) {
    return lives.book().get(node);
  }

  @Test
  void allOthersHearThatANodeIsDown() throws IOException {
    Down down = new Down(2, 0, 7, 9, true);
    say(1, down);

    assertThat(heard(0)).containsExactly(down);
    assertThat(heard(1)).isEmpty();
    assertThat(heard(2)).containsExactly(down);
    assertThat(inBook(2)).isEqualTo(new NodeLife(2, 0, true, 9, true));
  }

  @Test
  void aNodeEntersWhereTheLatestPromiseIs() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    forget();
    savedAfter = 3;

    lives.askForThoseWhoWait();

    assertThat(lives.isOpen()).isTrue();
    for (int worker = 0; worker < WORKERS; worker++) {
      assertThat(heard(worker)).containsExactly(new AskRound(2, 1, true, NO_ROUND));
    }
    say(2, new Promised(2, 1, 9));
    say(0, new Promised(2, 1, 6));
    assertThat(heard(0)).isEmpty();
    say(1, new Promised(2, 1, 5));

    for (int worker = 0; worker < WORKERS; worker++) {
      assertThat(heard(worker)).containsExactly(new Enters(2, 1, true, 9, 3));
    }
    assertThat(lives.isOpen()).isFalse();
    assertThat(inBook(2)).isEqualTo(up(2, 1));
  }

  @Test
  void aNodeThatIsAheadEntersWhereItIs() throws IOException {
    goesDownAndReturns(1, 2, 0, 12);
    lives.askForThoseWhoWait();
    forget();

    for (int worker = 0; worker < WORKERS; worker++) {
      say(worker, new Promised(2, 1, worker));
    }

    assertThat(heard(0)).containsExactly(new Enters(2, 1, true, 12, -1));
  }

  @Test
  void whereARoundIsSureAllAreToldIt() throws IOException {
    say(1, new Returns(2, 1, true, 8, true));
    lives.askForThoseWhoWait();

    assertThat(heard(0)).containsExactly(new AskRound(2, 1, true, 8));
  }

  @Test
  void itIsToldOnceThatAnEntryWasDecided() {
    goesDownAndReturns(1, 2, 0, 4);
    assertThat(lives.hasDecided()).isFalse();
    lives.askForThoseWhoWait();
    assertThat(lives.hasDecided()).isFalse();
    for (int worker = 0; worker < WORKERS; worker++) {
      say(worker, new Promised(2, 1, 5));
    }

    assertThat(lives.hasDecided()).isTrue();
    assertThat(lives.hasDecided()).isFalse();
  }

  /** While nodes are copied nobody asks for those who wait. */
  @Test
  void whoComesBackWhileACheckpointIsTakenIsAskedForAfterIt() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    goesDownAndReturns(2, 5, 0, 4);
    forget();
    assertThat(lives.isOpen()).isFalse();
    savedAfter = 5;

    lives.askForThoseWhoWait();

    assertThat(heard(0))
        .containsExactly(new AskRound(2, 1, true, NO_ROUND), new AskRound(5, 1, true, NO_ROUND));
    for (int node : new int[] {5, 2}) {
      for (int worker = 0; worker < WORKERS; worker++) {
        say(worker, new Promised(node, 1, 6));
      }
    }
    assertThat(heard(0))
        .containsExactly(new Enters(5, 1, true, 6, 5), new Enters(2, 1, true, 6, 5));
  }

  @Test
  void whoGoesDownAgainBeforeItWasAskedForIsNotAskedFor() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    say(1, new Down(2, 1, 4, NO_ROUND, false));
    forget();

    lives.askForThoseWhoWait();

    assertThat(heard(0)).isEmpty();
    assertThat(lives.isOpen()).isFalse();
    assertThat(inBook(2).isDown()).isTrue();
  }

  @Test
  void whoGoesDownAgainBeforeAllHavePromisedDoesNotEnter() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    lives.askForThoseWhoWait();
    say(0, new Promised(2, 1, 5));
    say(1, new Down(2, 1, 4, NO_ROUND, false));
    forget();

    say(1, new Promised(2, 1, 5));
    say(2, new Promised(2, 1, 5));

    assertThat(heard(0)).isEmpty();
    assertThat(lives.isOpen()).isFalse();
    assertThat(lives.hasDecided()).isTrue();
  }

  @Test
  void promisesForALifeThatIsOverCountForNoOther() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    lives.askForThoseWhoWait();
    goesDownAndReturns(1, 2, 1, 4);
    lives.askForThoseWhoWait();
    forget();

    for (int worker = 0; worker < WORKERS; worker++) {
      say(worker, new Promised(2, 1, 20));
    }
    assertThat(lives.isOpen()).isTrue();
    for (int worker = 0; worker < WORKERS; worker++) {
      say(worker, new Promised(2, 2, 6));
    }

    assertThat(heard(0)).containsExactly(new Enters(2, 2, true, 6, -1));
  }

  @Test
  void whatIsPromisedTwiceOrLateCountsOnce() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    lives.askForThoseWhoWait();
    forget();

    say(0, new Promised(2, 1, 6));
    say(0, new Promised(2, 1, 30));
    say(0, new Promised(3, 1, 30));
    say(1, new Promised(2, 1, 5));
    assertThat(heard(0)).isEmpty();
    say(2, new Promised(2, 1, 5));
    say(2, new Promised(2, 1, 30));

    assertThat(heard(0)).containsExactly(new Enters(2, 1, true, 6, -1));
  }

  @Test
  void aWorkerThatIsLostBeforeItHasPromisedIsNotWaitedFor() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    lives.askForThoseWhoWait();
    say(0, new Promised(2, 1, 6));
    say(1, new Promised(2, 1, 5));
    forget();

    lose(2);

    assertThat(heard(0))
        .containsExactly(
            new Enters(2, 1, true, 6, -1),
            new Down(4, 0, 0, NO_ROUND, false),
            new Down(5, 0, 0, NO_ROUND, false));
    assertThat(heard(2)).isEmpty();
  }

  @Test
  void aWorkerThatIsLostBetweenAskingAndPromisingAsksAnewWhenItIsBack() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    lives.askForThoseWhoWait();
    say(1, new Returns(3, 1, true, 4, false));
    lose(1);
    forget();

    say(0, new Promised(2, 1, 6));
    say(2, new Promised(2, 1, 6));
    lives.askForThoseWhoWait();
    assertThat(heard(0)).isEmpty();
    assertThat(lives.isOpen()).isFalse();
    assertThat(inBook(2)).isEqualTo(new NodeLife(2, 1, true, NO_ROUND, false));

    replace(1);
    say(1, new Returns(2, 2, true, 0, false));
    lives.askForThoseWhoWait();
    for (int worker = 0; worker < WORKERS; worker++) {
      say(worker, new Promised(2, 2, 7));
    }
    assertThat(heard(0))
        .containsExactly(new AskRound(2, 2, true, NO_ROUND), new Enters(2, 2, true, 7, -1));
  }

  /** The second to come back is asked for the nodes of the first as soon as it is admitted. */
  @Test
  void twoWorkersThatAreAwayComeBackOneAfterTheOther() throws IOException {
    lose(1);
    lose(2);
    forget();
    assertThat(lives.book()).filteredOn(NodeLife::isDown).hasSize(4);

    replace(1);
    say(1, new Returns(2, 1, true, 0, false));
    lives.askForThoseWhoWait();
    say(1, new Promised(2, 1, 0));
    replace(2);
    say(0, new Promised(2, 1, 11));
    // It was not there when the others were asked, but learns where the node is.
    assertThat(heard(2)).containsExactly(new Enters(2, 1, true, 11, -1));

    say(2, new Returns(4, 1, true, 0, false));
    lives.askForThoseWhoWait();
    say(0, new Promised(4, 1, 12));
    say(1, new Promised(4, 1, 12));
    assertThat(lives.isOpen()).isTrue();
    say(2, new Promised(4, 1, 0));
    forget();
    assertThat(lives.isOpen()).isFalse();
    assertThat(inBook(2)).isEqualTo(up(2, 1));
    assertThat(inBook(3).isDown()).isTrue();
    assertThat(inBook(4)).isEqualTo(up(4, 1));
  }

  @Test
  void aWorkerThatIsGoneForGoodHoldsNobodyUp() throws IOException {
    goesDownAndReturns(1, 2, 0, 4);
    goesDownAndReturns(2, 4, 0, 4);
    lives.askForThoseWhoWait();
    for (int node : new int[] {2, 4}) {
      say(0, new Promised(node, 1, 5));
      say(1, new Promised(node, 1, 5));
    }
    forget();

    workers.get(2).member().setGone();
    lives.gone(2);

    assertThat(heard(0)).containsExactly(new Enters(2, 1, true, 5, -1));
    assertThat(lives.isOpen()).isFalse();
  }

  @Test
  void whoIsDueIsToldByItsOwnWorker() throws IOException {
    say(0, new Due(5, 0, false));
    say(0, new Due(77, 0, false));

    assertThat(heard(2)).containsExactly(new Due(5, 0, false));
    assertThat(heard(1)).isEmpty();
  }

  @Test
  void whereAllAreDownTheFirstThatIsDueComesBack() throws IOException {
    int[] due = {NO_ROUND, 9, 8, NO_ROUND, 7, 12};
    for (int node = 0; node < due.length; node++) {
      lives.lookForTheLast();
      say(node / 2, new Down(node, 0, 3, due[node], true));
    }
    lives.ended(outcome(4, Status.LEFT));
    forget();

    lives.lookForTheLast();
    lives.lookForTheLast();

    assertThat(heard(0)).isEmpty();
    assertThat(heard(1)).containsExactly(new Due(2, 0, true));
    assertThat(heard(2)).isEmpty();
  }

  @Test
  void whereSomeHaveFinishedAndAllOthersAreDownNobodyNeedsToComeBack() throws IOException {
    lives.ended(outcome(0, Status.FINISHED));
    for (int node = 1; node < 6; node++) {
      say(node / 2, new Down(node, 0, 3, NO_ROUND, false));
    }
    forget();

    lives.lookForTheLast();

    for (int worker = 0; worker < WORKERS; worker++) {
      assertThat(heard(worker)).containsExactly(new NobodyLeft());
    }
  }

  private static NodeOutcome outcome(int node, Status status) {
    return new NodeOutcome(node, status, "", 3, 0, new Traffic(0, 0, 0, 0, 0, 0), PhaseTimes.NONE);
  }

  @Test
  void nobodySpeaksForTheNodesOfOthers() {
    for (LifeTalk talk :
        List.of(
            new Down(2, 0, 1, NO_ROUND, false),
            new Returns(2, 1, true, 0, false),
            new Returns(6, 1, true, 0, false),
            new Down(-1, 0, 1, NO_ROUND, false),
            new Enters(0, 1, true, 0, -1))) {
      assertThatThrownBy(() -> say(0, talk)).isInstanceOf(MalformedPayloadException.class);
    }
    lives.askForThoseWhoWait();
    assertThat(lives.isOpen()).isFalse();
    assertThat(lives.book()).noneMatch(NodeLife::isDown);
  }
}
