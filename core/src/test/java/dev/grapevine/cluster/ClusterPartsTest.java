package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.runtime.report.Traffic;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClusterPartsTest {

  private static final PhaseTimes PHASES =
      new PhaseTimes(
          Duration.ofMillis(1),
          Duration.ofMillis(2),
          Duration.ZERO,
          Duration.ofDays(1),
          Duration.ofNanos(5));

  private static final List<Control> MESSAGES =
      List.of(
          new Control.Ready(List.of(new Company.NodeLife(3, 1, true, 5, false))),
          new Control.Refused("ünlike"),
          new Control.Roster(
              "s",
              new int[] {0, 0, 1},
              List.of(new Control.Entry(1, "h", "a", 7, "/p", new byte[] {1, 2})),
              "d",
              true,
              List.of(new InjectedFault(Fault.THROWS, 2, 5)),
              true,
              new int[] {2}),
          new Control.Back(2, 20, new Control.Entry(1, "h", "a", 7, "/p", new byte[] {3})),
          new Control.Heartbeat(
              -1, new long[] {1, Long.MIN_VALUE}, new long[0], true, false, "waits"),
          new Control.Cut(new CutTalk.Rests(3, 7, new long[] {1, 2}, new long[] {Long.MAX_VALUE})),
          new Control.Cut(new CutTalk.Part(4, 5, "{}")),
          new Control.Cut(new CutTalk.GoOn()),
          new Control.Life(new LifeTalk.Returns(3, 2, true, 17, true)),
          new Control.Lost(1, true, "why"),
          new Control.Stop(Outcome.Ending.STALLED, "why", 1),
          new Control.Sum(
              3, 4, 5, false, new double[] {Double.NaN, -0.0}, new long[] {9}, new long[0]),
          new Control.Events(
              List.of(
                  new Event.Figure(1, 2, "m", 0.5, Duration.ofNanos(7)),
                  new Event.FaultStruck(
                      new InjectedFault(Fault.STOPS_SILENTLY, 1, 2), Duration.ofNanos(8)),
                  new Event.RoundFinished(
                      new NodeReport(
                          1, 2, Duration.ZERO, Double.NaN, new Traffic(1, 2, 3, 4, 5, 6), PHASES)),
                  new Event.Ended(
                      new NodeOutcome(
                          1,
                          NodeOutcome.Status.LEFT,
                          "r",
                          2,
                          3,
                          new Traffic(1, 2, 3, 4, 5, 6),
                          PHASES),
                      Duration.ofSeconds(1))),
              99));

  @Test
  void messagesComeBackAsTheyWere() {
    for (Control message : MESSAGES) {
      byte[] bytes = RecordCodec.encode(Control.class, message);
      Control back = RecordCodec.decode(Control.class, ByteBuffer.wrap(bytes));
      assertThat(back).hasSameClassAs(message);
      assertThat(RecordCodec.encode(Control.class, back)).isEqualTo(bytes);
    }
  }

  /** Whatever the bytes, the answer is a message or the one exception. */
  @Test
  void mutatedMessagesAreReadOrRefused() {
    SplittableRandom random = new SplittableRandom(5);
    for (int attempt = 0; attempt < 3000; attempt++) {
      byte[] bytes =
          RecordCodec.encode(Control.class, MESSAGES.get(random.nextInt(MESSAGES.size())));
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      try {
        assertThat(RecordCodec.decode(Control.class, ByteBuffer.wrap(cut))).isNotNull();
      } catch (MalformedPayloadException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
  }

  @Test
  void blocksAreContiguousAndServersAtTheFirst() {
    Placement placement = Placement.blocks(10, 12, 4);
    assertThat(placement.workerOf()).containsExactly(0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 0, 0);
    assertThat(placement.text(0)).isEqualTo("nodes 0-2, 10-11");
    assertThat(Placement.blocks(3, 3, 3).text(1)).isEqualTo("node 1");
    assertThatThrownBy(() -> Placement.blocks(3, 3, 4))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("workers=4");
  }

  @Test
  void everyNodeIsGivenToOneWorker() {
    assertThat(Placement.of(3, 4, List.of(new int[] {1}, new int[] {0, 2})).workerOf())
        .containsExactly(1, 0, 1, 0);
    assertThatThrownBy(() -> Placement.of(3, 3, List.of(new int[] {0, 1}, new int[] {1, 2})))
        .hasMessageContaining("node 1 is given to workers 0 and 1");
    assertThatThrownBy(() -> Placement.of(3, 3, List.of(new int[] {0, 1})))
        .hasMessage("node 2 is given to no worker");
  }

  @Test
  void ranksComeFromWhoeverStartsProcesses() {
    OptionalInt none = OptionalInt.empty();
    assertThat(Rank.of(OptionalInt.of(2), OptionalInt.of(8), Map.of())).isEqualTo(new Rank(2, 8));
    assertThat(Rank.of(none, none, Map.of("SLURM_PROCID", "1", "SLURM_NTASKS", "4")))
        .isEqualTo(new Rank(1, 4));
    assertThat(
            Rank.of(none, none, Map.of("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "5")))
        .isEqualTo(new Rank(3, 5));
    assertThat(Rank.of(none, none, Map.of("PMI_RANK", "0", "PMI_SIZE", "2")))
        .isEqualTo(new Rank(0, 2));
    assertThat(Rank.of(none, none, Map.of("JOB_COMPLETION_INDEX", "6", "GRAPEVINE_WORLD", "7")))
        .isEqualTo(new Rank(6, 7));
    assertThat(
            Rank.of(
                none,
                none,
                Map.of(
                    "GRAPEVINE_RANK", "1",
                    "GRAPEVINE_WORLD", "2",
                    "SLURM_PROCID", "9",
                    "SLURM_NTASKS", "10")))
        .isEqualTo(new Rank(1, 2));
    assertThatThrownBy(() -> Rank.of(none, none, Map.of())).hasMessageContaining("--rank");
    assertThatThrownBy(() -> Rank.of(none, none, Map.of("PMI_RANK", "x", "PMI_SIZE", "2")))
        .hasMessage("PMI_RANK is no count: PMI_RANK=x");
    assertThat(Rank.onThisMachine(Map.of("SLURM_STEP_TASKS_PER_NODE", "3(x2),4"))).contains(4);
  }

  @Test
  void theClockIsSetByTheFastestAnswer() {
    ClockOffset offset = new ClockOffset();
    offset.answered(1000, 6500, 2000);
    offset.answered(3000, 8105, 3200);
    assertThat(offset.nanos()).isEqualTo(8105 - 3000 - 100);
  }

  /** However far off: wrong by at most half of what the fastest answer took. */
  @ParameterizedTest
  @ValueSource(longs = {-5_000_000_000L, 5_000_000_000L})
  void aClockThatIsFarOffIsSetWithinHalfOfTheFastestAnswer(long ahead) {
    for (long seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ClockOffset offset = new ClockOffset();
      long fastest = Long.MAX_VALUE;
      for (long beat = 0; beat < 8; beat++) {
        long sent = beat * 10_000_000;
        long there = random.nextLong(20_000_000);
        long back = random.nextLong(20_000_000);
        fastest = Math.min(fastest, there + back);
        offset.answered(sent, sent + there + ahead, sent + there + back);
      }
      assertThat(Math.abs(offset.nanos() - ahead))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(fastest / 2 + 1);
    }
  }

  /** On a busy machine all answers may be slow, and the ways there and back not alike. */
  @Test
  void whoReadsTheSameClockKnowsItExactly() {
    ClockOffset offset = new ClockOffset();
    assertThat(offset.isKnown(8)).isFalse();
    offset.answered(1_000, 60_001_000, 60_001_500);
    offset.answered(100_000_000, 100_000_200, 109_000_000);
    assertThat(offset.isKnown(8)).isTrue();
    assertThat(offset.nanos()).isZero();
  }

  @Test
  void oneAnswerShowsThatClocksDifferAndSeveralSetThem() {
    ClockOffset offset = new ClockOffset();
    offset.answered(1_000, 1_500, 2_000);
    offset.answered(3_000, 2_990, 3_200);
    assertThat(offset.nanos()).isEqualTo(2_990 - 3_000 - 100);
    assertThat(offset.isKnown(8)).isFalse();
    for (int beat = 1; beat <= 6; beat++) {
      offset.answered(10_000L * beat, 10_000L * beat - 10, 10_000L * beat + 200);
    }
    assertThat(offset.isKnown(8)).isTrue();
  }

  @Test
  void workersMeetAtAPortOrInADirectory(@TempDir Path folder) {
    assertThat(Rendezvous.parse("node-1:7077")).isEqualTo(new Rendezvous.At("node-1", 7077));
    assertThat(Rendezvous.parse("[::1]:7077")).isEqualTo(new Rendezvous.At("::1", 7077));
    for (String noPort : List.of("node-1:99999", "node-1:0", "node-1:7077707770777")) {
      assertThatThrownBy(() -> Rendezvous.parse(noPort))
          .isInstanceOf(UserException.class)
          .hasMessageContaining("a port from 1 to 65535");
    }
    assertThat(Rendezvous.parse("./a:99999")).isInstanceOf(Rendezvous.In.class);
    Rendezvous.In directory = (Rendezvous.In) Rendezvous.parse(folder.toString());
    assertThat(directory.address()).isEmpty();
    directory.publish("127.0.0.1", 99);
    assertThat(directory.address().orElseThrow().getPort()).isEqualTo(99);
    directory.withdraw();
    assertThat(directory.address()).isEmpty();
  }
}
