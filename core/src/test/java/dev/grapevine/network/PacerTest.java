package dev.grapevine.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacerTest {

  /** Writes down what it is given. */
  private static final class Notes implements Transport {

    private final List<String> notes = new ArrayList<>();

    @Override
    public synchronized void send(int receiver, Message message) {
      notes.add("%d to %d, round %d".formatted(message.sender(), receiver, message.round()));
    }

    @Override
    public synchronized void sayGoodbye(int node) {
      notes.add("goodbye of " + node);
    }

    @Override
    public synchronized void close() {
      notes.add("closed");
    }

    synchronized List<String> notes() {
      return List.copyOf(notes);
    }
  }

  /** As fast as this machine, or losing all. */
  private record Links(boolean limited, boolean lossy) implements LinkModel {

    @Override
    public long latency(int sender, int receiver, long now, long ordinal) {
      return lossy ? LOST : 1000;
    }

    @Override
    public double uplink(int node, long now) {
      return limited ? 1 : Double.POSITIVE_INFINITY;
    }

    @Override
    public double downlink(int node, long now) {
      return uplink(node, now);
    }

    @Override
    public boolean limitsBandwidth() {
      return limited;
    }
  }

  private static Message message(int sender, int round) {
    return new Message(sender, 1, 0, round, Payload.of(new byte[100]));
  }

  @Test
  void everythingArrivesInOrderAndBeforeTheGoodbye() throws IOException {
    for (boolean limited : List.of(false, true)) {
      Notes below = new Notes();
      try (Pacer pacer = new Pacer(below, new Links(limited, false))) {
        for (int round = 0; round < 20; round++) {
          pacer.send(1, message(0, round));
          pacer.send(2, message(0, round));
        }
        pacer.sayGoodbye(0);
        List<String> notes = below.notes();
        assertThat(notes).hasSize(41).endsWith("goodbye of 0");
        for (int receiver : List.of(1, 2)) {
          assertThat(notes.stream().filter(note -> note.contains("to " + receiver + ",")).toList())
              .containsExactlyElementsOf(
                  java.util.stream.IntStream.range(0, 20)
                      .mapToObj(round -> "0 to %d, round %d".formatted(receiver, round))
                      .toList());
        }
      }
      assertThat(below.notes()).endsWith("closed");
    }
  }

  @Test
  void whatTheModelLosesIsNotSent() {
    Notes below = new Notes();
    try (Pacer pacer = new Pacer(below, new Links(false, true))) {
      assertThatThrownBy(() -> pacer.send(1, message(0, 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("lost");
      pacer.sayGoodbye(0);
    }
    assertThat(below.notes()).containsExactly("goodbye of 0", "closed");
  }

  @Test
  void whatTheTransportTakesIsPartOfTheDelay() {
    assertThat(Pacer.release(1000, 50L, 0)).isEqualTo(1050);
    assertThat(Pacer.release(1000, 50L, 20)).isEqualTo(1030);
    assertThat(Pacer.release(1000, 50L, 80))
        .as("the last byte does not go before it has left the uplink")
        .isEqualTo(1000);
  }

  @Test
  void theBytesBeforeTheLastAreSpreadOverAShortTimeBefore() {
    long arrival = 1_000_000_000;
    assertThat(Pacer.release(arrival, 400, 400)).isEqualTo(arrival);
    assertThat(Pacer.release(arrival, 300, 400)).isEqualTo(arrival - 7_500_000);
    assertThat(Pacer.release(arrival, 0, 400)).isEqualTo(arrival - 30_000_000);
    assertThat(Pacer.release(arrival, 0, 0)).isEqualTo(arrival);
  }

  /** A transport that takes pieces is let through piece by piece, and to the end. */
  @Test
  void aTransportMayAskForPieces() throws IOException {
    List<Integer> pieces = Collections.synchronizedList(new ArrayList<>());
    Transport piecewise =
        new Transport() {
          @Override
          public void send(int receiver, Message message) {
            throw new AssertionError("it is asked to wait for the gate");
          }

          @Override
          public void send(int receiver, Message message, Gate gate) throws InterruptedException {
            for (int bytes = 25; bytes <= 100; bytes += 25) {
              gate.await(bytes);
              pieces.add(bytes);
            }
          }

          @Override
          public void sayGoodbye(int node) {}

          @Override
          public void close() {}
        };
    try (Pacer pacer = new Pacer(piecewise, new Links(true, false))) {
      pacer.send(1, message(0, 0));
      pacer.send(1, message(0, 1));
      pacer.sayGoodbye(0);
    }
    assertThat(pieces).containsExactly(25, 50, 75, 100, 25, 50, 75, 100);
  }

  @Test
  void departuresAreForetold() {
    SharedUplink<String> uplink = new SharedUplink<>(2);
    uplink.add("long", 1000, 0);
    uplink.add("short", 100, 0);
    List<SharedUplink.Departed<String>> foretold = uplink.forecast(0);
    assertThat(foretold)
        .containsExactly(
            new SharedUplink.Departed<>("short", 100), new SharedUplink.Departed<>("long", 550));
    assertThat(uplink.forecast(50)).as("asking changes nothing").isEqualTo(foretold);
    assertThat(uplink.departed(550)).isEqualTo(foretold);
    assertThat(uplink.forecast(600)).isEmpty();
  }

  @Test
  void messagesShareAnUplinkEvenly() {
    SharedUplink<String> uplink = new SharedUplink<>(2);
    uplink.add("long", 1000, 0);
    uplink.add("short", 100, 0);
    assertThat(uplink.nextDeparture(0)).as("each gets half of it").isEqualTo(100);
    assertThat(uplink.departed(99)).isEmpty();
    assertThat(uplink.departed(100)).containsExactly(new SharedUplink.Departed<>("short", 100));
    assertThat(uplink.nextDeparture(100)).as("900 bytes are left, alone").isEqualTo(550);
    uplink.setRate(4, 300);
    assertThat(uplink.nextDeparture(300)).as("500 bytes at twice the rate").isEqualTo(425);
    assertThat(uplink.departed(425)).containsExactly(new SharedUplink.Departed<>("long", 425));
    assertThat(uplink.nextDeparture(425)).isEqualTo(SharedUplink.NEVER);
    uplink.add("later", 400, 10_000);
    assertThat(uplink.nextDeparture(10_000)).isEqualTo(10_100);
    uplink.add("last", 800, 10_000);
    assertThat(uplink.departed(20_000))
        .as("whoever asks late learns when each left")
        .containsExactly(
            new SharedUplink.Departed<>("later", 10_200),
            new SharedUplink.Departed<>("last", 10_300));
  }
}
