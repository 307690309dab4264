package dev.grapevine.runtime.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.Transport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept for a worker that comes back. Node n is at worker n. */
final class KeptMessagesTest {

  private final List<String> sent = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final KeptMessages kept = new KeptMessages(new Three(), new Wire(), 1000);

  private final class Wire implements Transport {
    @Override
    public void send(int receiver, Message message) {
      sent.add("%d to %d in %d".formatted(message.sender(), receiver, message.round()));
    }

    @Override
    public void sayGoodbye(int node) {}

    @Override
    public void close() {}
  }

  /** Three workers, of which this is the first. */
  private final class Three extends FakeCompany {
    Three() {
      super(3);
    }

    @Override
    public boolean keepsMessages() {
      return true;
    }

    @Override
    public void keepsNoMore(String reason) {
      complaints.add(reason);
    }
  }

  private static Message message(int sender, int round, int bytes) {
    return new Message(sender, Message.EXCHANGE, 0, round, Payload.of(new byte[bytes]));
  }

  @Test
  void whatWasSaidSinceTheCutIsSaidAgainInTheOrderOfRounds() throws Exception {
    for (int round : new int[] {0, 1, 3, 2}) {
      kept.send(1, message(0, round, 10));
      kept.send(2, message(0, round, 10));
    }
    sent.clear();

    kept.back(2, 1, () -> sent.add("connected"));

    assertThat(sent).containsExactly("connected", "0 to 2 in 1", "0 to 2 in 2", "0 to 2 in 3");
    assertThat(complaints).isEmpty();
  }

  @Test
  void whatIsHeardASecondTimeIsToldFromWhatIsNew() {
    assertThat(kept.hear(0, message(1, 4, 10))).isTrue();
    assertThat(kept.hear(0, message(2, 4, 10))).isTrue();
    assertThat(kept.hear(0, message(1, 4, 10))).isFalse();
    assertThat(kept.hear(0, message(1, 5, 10))).isTrue();
    // There was no room for it, and it is offered again.
    kept.isToCome(0, message(1, 5, 10));
    assertThat(kept.hear(0, message(1, 5, 10))).isTrue();
  }

  @Test
  void whatIsSavedIsForgotten() throws Exception {
    for (int round = 0; round < 50; round++) {
      kept.send(1, message(0, round, 300));
      kept.saved(round);
    }
    sent.clear();
    kept.back(1, 49, () -> {});
    assertThat(sent).containsExactly("0 to 1 in 49");
    assertThat(complaints).isEmpty();
  }

  @Test
  void onePayloadForManyCountsOnce() throws Exception {
    Message message = message(0, 0, 900);
    for (int i = 0; i < 5; i++) {
      kept.send(1, message);
    }
    assertThat(complaints).isEmpty();
  }

  @Test
  void whenItTakesTooMuchItIsGivenUpOnce() throws Exception {
    for (int round = 0; round < 10; round++) {
      kept.send(1, message(0, round, 300));
    }
    assertThat(complaints).hasSize(1);
    assertThat(complaints.getFirst()).contains("save more often");
  }

  @Test
  void aMessageThatBelongsToNoExchangeCannotBeSaidAgain() throws Exception {
    kept.send(1, new Message(0, 7, 0, Payload.empty()));
    assertThat(complaints).hasSize(1);
    assertThat(kept.hear(0, message(1, 4, 10))).isTrue();
    assertThat(kept.hear(0, message(1, 4, 10))).isTrue();
  }
}
