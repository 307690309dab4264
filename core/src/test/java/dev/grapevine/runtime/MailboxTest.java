package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailboxTest {

  private final Mailbox mailbox = new Mailbox();

  private static Message model(int sender, int round) {
    return new Message(sender, Message.EXCHANGE, round, Payload.of(new byte[] {(byte) sender}));
  }

  @Test
  void theOwnerIsWokenWhenNothingIsMissingAnyMore() {
    assertThat(mailbox.await(new int[] {3, 5}, 0, 2)).isFalse();
    assertThat(mailbox.put(model(3, 2))).isFalse();
    assertThat(mailbox.missing()).containsExactly(5);
    assertThat(mailbox.put(model(5, 2))).isTrue();
    assertThat(mailbox.take(2)).doesNotContainNull();
  }

  @Test
  void laterRoundsAreKeptAndEarlierOnesDropped() {
    assertThat(mailbox.put(model(3, 1))).isFalse();
    mailbox.await(new int[] {4}, 0, 0);
    assertThat(mailbox.put(model(4, 0))).isTrue();
    mailbox.take(0);
    assertThat(mailbox.await(new int[] {3}, 0, 1)).isTrue();
    mailbox.take(1);
    assertThat(mailbox.put(model(4, 0))).isFalse();
    assertThat(mailbox.unread()).isZero();
    assertThat(mailbox.messages()).isEqualTo(3);
  }

  @Test
  void theFirstOfTwoCopiesCounts() {
    Payload first = Payload.of(new byte[1]);
    mailbox.put(new Message(1, Message.EXCHANGE, 0, first));
    mailbox.put(new Message(1, Message.EXCHANGE, 0, Payload.of(new byte[2])));
    assertThat(mailbox.await(new int[] {1}, 0, 0)).isTrue();
    assertThat(mailbox.take(0)).containsExactly(first);
  }

  @Test
  void nobodyWaitsForOneWhoIsGone() {
    mailbox.await(new int[] {1, 2}, 0, 0);
    mailbox.put(model(1, 0));
    assertThat(mailbox.gone(2)).isTrue();
    assertThat(mailbox.gone(2)).isFalse();
    assertThat(mailbox.take(0)[1]).isNull();
    assertThat(mailbox.await(new int[] {2}, 0, 1)).isTrue();
  }

  @Test
  void taggedMessagesComeInOrderOfArrival() {
    mailbox.tagged().await(true);
    assertThat(mailbox.put(new Message(1, 9, 5, Payload.empty()))).isTrue();
    mailbox.put(new Message(2, 8, 0, Payload.empty()));
    assertThat(mailbox.tagged().pollAsked()).extracting(Message::sender).isEqualTo(1);
    assertThat(mailbox.tagged().pollAsked()).extracting(Message::sender).isEqualTo(2);
    assertThat(mailbox.tagged().pollAsked()).isNull();
  }

  @Test
  void thereIsAlwaysRoomForTheOwnersRoundAndTheNext() {
    mailbox.await(new int[] {1}, 0, 5);
    for (int round = 5; round < 9; round++) {
      mailbox.put(model(2, round));
    }
    assertThat(mailbox.hasRoom(Message.EXCHANGE, 6, 2, Long.MAX_VALUE)).isTrue();
    assertThat(mailbox.hasRoom(Message.EXCHANGE, 9, 2, Long.MAX_VALUE)).isFalse();
    mailbox.await(new int[] {1}, 0, 8);
    assertThat(mailbox.hasRoom(Message.EXCHANGE, 10, 2, Long.MAX_VALUE)).isTrue();
  }

  /** A fast node must not fill the heap with models that a slow one has no use for yet. */
  @Test
  void modelsOfLaterRoundsTakeSoManyBytesAtMost() {
    mailbox.await(new int[] {1}, 0, 5);
    Payload model = Payload.of(new byte[100]);
    for (int round = 6; round < 9; round++) {
      assertThat(mailbox.hasRoom(Message.EXCHANGE, round, 1000, 150)).isTrue();
      mailbox.put(new Message(2, Message.EXCHANGE, round, model));
    }
    assertThat(mailbox.hasRoom(Message.EXCHANGE, 9, 1000, 150)).isFalse();
    assertThat(mailbox.hasRoom(Message.EXCHANGE, 6, 1000, 150)).isTrue();
    mailbox.await(new int[] {1}, 0, 6);
    assertThat(mailbox.hasRoom(Message.EXCHANGE, 9, 1000, 150)).isTrue();
  }

  @Test
  void taggedAndHandledMessagesNeedRoomToo() {
    mailbox.tagged().handle(3);
    for (int tag : new int[] {3, 4}) {
      assertThat(mailbox.hasRoom(tag, 0, 1, Long.MAX_VALUE)).isTrue();
      mailbox.put(new Message(1, tag, 0, Payload.empty()));
      assertThat(mailbox.hasRoom(tag, 0, 1, Long.MAX_VALUE)).isFalse();
    }
    mailbox.tagged().pollHandled();
    mailbox.tagged().pollAsked();
    assertThat(mailbox.hasRoom(3, 0, 1, Long.MAX_VALUE)).isTrue();
    assertThat(mailbox.hasRoom(4, 0, 1, Long.MAX_VALUE)).isTrue();
  }

  /** Random traffic against a map; messages that nobody asks for must not pile up. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void behavesLikeAMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 500; round++) {
      int[] senders = random.ints(0, 40).distinct().limit(random.nextInt(1, 9)).sorted().toArray();
      Map<Integer, Payload> expected = new HashMap<>();
      for (int sender : senders) {
        expected.put(sender, Payload.of(new byte[] {(byte) round, (byte) sender}));
      }
      for (int i = 0; i < 5; i++) {
        mailbox.put(model(random.nextInt(40, 80), round + random.nextInt(3)));
      }
      boolean early = random.nextBoolean();
      if (early) {
        assertThat(mailbox.await(senders, 0, round)).isFalse();
      }
      int left = senders.length;
      for (int sender : senders) {
        boolean last = --left == 0;
        assertThat(mailbox.put(new Message(sender, Message.EXCHANGE, round, expected.get(sender))))
            .isEqualTo(early && last);
      }
      if (!early) {
        assertThat(mailbox.await(senders, 0, round)).isTrue();
      }
      Payload[] taken = mailbox.take(round);
      for (int i = 0; i < senders.length; i++) {
        assertThat(taken[i]).isSameAs(expected.get(senders[i]));
      }
    }
    assertThat(mailbox.unread()).isLessThan(100);
  }

  @Test
  void channelsOfARoundAreKeptApart() {
    Payload tracker = Payload.of(new byte[7]);
    mailbox.put(new Message(1, Message.EXCHANGE, 2, 5, tracker));
    assertThat(mailbox.await(new int[] {1}, 0, 5)).isFalse();
    mailbox.put(model(1, 5));
    assertThat(mailbox.isComplete()).isTrue();
    assertThat(mailbox.take(5)[0]).isNotSameAs(tracker);
    assertThat(mailbox.await(new int[] {1}, 2, 5)).isTrue();
    assertThat(mailbox.take(5)[0]).isSameAs(tracker);
  }
}
