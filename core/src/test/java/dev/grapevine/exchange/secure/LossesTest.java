package dev.grapevine.exchange.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.exchange.SecretSum;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.random.SplitMix;
import dev.grapevine.security.masking.FixedPoint;
import dev.grapevine.security.masking.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whoever is lost, and whenever: the sum over those who came, or none. */
class LossesTest {

  private static final int COUNT = 20;

  /** When a sender falls silent for good. */
  private enum Moment {
    BEFORE_MASKED,
    BEFORE_UNMASK,
    BEFORE_REVEAL,
    AFTER_REVEAL
  }

  /**
   * A sender that is lost.
   *
   * @param isKnown whether the receiver hears of it, or has to wait in vain
   */
  private record Loss(int sender, Moment moment, boolean isKnown) {}

  private int round;

  @Test
  void oneLostAtAnyMoment() {
    for (int senders = 3; senders <= 6; senders++) {
      Lab lab = lab(senders, 16);
      for (Loss loss : losses(senders)) {
        check(lab, List.of(loss), 16);
      }
    }
  }

  @Test
  void anyTwoLostAtAnyMoments() {
    for (int senders = 3; senders <= 6; senders++) {
      checkPairs(senders, 16);
    }
  }

  @Test
  void anyTwoLostWhereEachMasksWithSomeOnly() {
    checkPairs(9, 4);
  }

  private void checkPairs(int senders, int partners) {
    Lab lab = lab(senders, partners);
    List<Loss> all = losses(senders);
    for (Loss one : all) {
      for (Loss other : all) {
        if (one.sender < other.sender) {
          check(lab, List.of(one, other), partners);
        }
      }
    }
  }

  private static Lab lab(int senders, int partners) {
    Rules usual = Lab.rules(true, 3);
    Rules rules = new Rules(usual.session(), 3, usual.numbers(), partners, true, usual.seed(), 0);
    return new Lab(senders, COUNT, rules, UnaryOperator.identity());
  }

  private static List<Loss> losses(int senders) {
    List<Loss> losses = new ArrayList<>();
    for (int sender = 0; sender < senders; sender++) {
      for (Moment moment : Moment.values()) {
        losses.add(new Loss(sender, moment, false));
        losses.add(new Loss(sender, moment, true));
      }
    }
    return losses;
  }

  /** One more round, in which some are lost; in the next they are back. */
  private void check(Lab lab, List<Loss> losses, int partners) {
    int senders = lab.senders;
    BitSet came = new BitSet();
    came.set(0, senders);
    BitSet silent = new BitSet();
    BitSet deaf = new BitSet();
    lab.gone.clear();
    for (Loss loss : losses) {
      if (loss.moment == Moment.BEFORE_MASKED) {
        came.clear(loss.sender);
      }
      if (loss.moment != Moment.AFTER_REVEAL) {
        silent.set(loss.sender);
        deaf.set(loss.sender, loss.moment != Moment.BEFORE_REVEAL);
        lab.gone.set(loss.sender, loss.isKnown);
      }
    }
    lab.transit =
        each -> {
          int tag = each.message().tag();
          boolean isLost =
              (tag == MaskedSums.REVEAL && silent.get(each.message().sender()))
                  || (tag == MaskedSums.UNMASK && deaf.get(each.to()));
          return isLost ? List.of() : List.of(each);
        };
    round++;
    Map<Integer, Payload> heard = new TreeMap<>();
    for (int sender = 0; sender < senders; sender++) {
      Payload said = lab.say(sender, round);
      if (came.get(sender)) {
        heard.put(sender, said);
      }
    }
    Map<String, Double> before = lab.nodes.get(senders).figures();
    Optional<SecretSum.Sum> sum = lab.open(heard, round);
    String what = "%d senders, %s".formatted(senders, losses);
    assertThat(sum.isPresent()).as(what).isEqualTo(canBeOpened(lab, came, silent, partners));
    if (sum.isPresent()) {
      assertThat(sum.get().mean()).as(what).containsExactly(lab.twin(came));
    }
    double skipped =
        lab.nodes.get(senders).figures().get("secure_skipped") - before.get("secure_skipped");
    assertThat(skipped).as(what).isEqualTo(sum.isPresent() ? 0.0 : 1.0);
    assertThat(lab.complaints).isEmpty();
    lab.deliver();
  }

  /** By the rules, written down once more: seeds of lost ones, and shares of silent ones. */
  private boolean canBeOpened(Lab lab, BitSet came, BitSet silent, int partners) {
    int senders = lab.senders;
    Circle circle = Circle.of(lab.rules, new Slot(senders, round, 0), lab.receiver);
    int holders = Math.min(senders - 1, partners);
    int threshold = holders / 2 + 1;
    if (came.cardinality() < Math.max(3, threshold)) {
      return false;
    }
    for (int i = came.nextSetBit(0); i >= 0; i = came.nextSetBit(i + 1)) {
      int shares = 0;
      for (int partner : circle.partners(i)) {
        shares += came.get(partner) && !silent.get(partner) ? 1 : 0;
        if (!came.get(partner) && silent.get(i)) {
          return false;
        }
      }
      if (silent.get(i) && shares < threshold) {
        return false;
      }
    }
    return true;
  }

  @Test
  void singleMasksNeedEverybody() {
    Lab lab = new Lab(4, COUNT, Lab.rules(false, 3), UnaryOperator.identity());
    Map<Integer, Payload> heard = new TreeMap<>();
    BitSet all = new BitSet();
    for (int sender = 0; sender < 4; sender++) {
      heard.put(sender, lab.say(sender, 0));
      all.set(sender);
    }
    assertThat(lab.open(heard, 0).orElseThrow().mean()).containsExactly(lab.twin(all));
    heard.remove(2);
    assertThat(lab.open(heard, 0)).isEmpty();
    assertThat(lab.sent).isEmpty();
  }

  @Test
  void aMessageForAnotherRoundOrSetCountsAsMissing() {
    Lab lab = new Lab(5, COUNT, Lab.rules(true, 3), UnaryOperator.identity());
    Map<Integer, Payload> heard = new TreeMap<>();
    BitSet rest = new BitSet();
    for (int sender = 0; sender < 5; sender++) {
      heard.put(sender, lab.say(sender, 3));
      rest.set(sender);
    }
    heard.put(1, lab.say(1, 4));
    rest.clear(1);
    assertThat(lab.open(heard, 3).orElseThrow().mean()).containsExactly(lab.twin(rest));
    assertThat(lab.complaints).hasSize(1);
    assertThat(lab.nodes.get(5).figures()).containsEntry("secure_recovered", 1.0);
  }

  @Test
  void whatIsMaskedWronglyIsNotMixed() {
    Lab lab = new Lab(4, COUNT, Lab.rules(true, 3), UnaryOperator.identity());
    Map<Integer, Payload> heard = new TreeMap<>();
    for (int sender = 0; sender < 4; sender++) {
      heard.put(sender, lab.say(sender, 0));
    }
    byte[] bytes = new byte[heard.get(3).size()];
    heard.get(3).buffer().get(bytes);
    bytes[8 + 4 * COUNT] ^= 1; // the first check word
    heard.put(3, Payload.of(bytes));
    assertThat(lab.open(heard, 0)).isEmpty();
    assertThat(lab.nodes.get(4).figures()).containsEntry("secure_skipped", 1.0);
  }

  /** Whatever is wrong with what helpers say: the right sum or none. */
  @Test
  void forgedAnswersGiveTheRightSumOrNone() {
    SplitMix random = new SplitMix(8);
    Lab lab = lab(5, 16);
    int opened = 0;
    for (int i = 0; i < 400; i++) {
      int liar = random.nextInt(5);
      int missing = random.nextInt(7);
      lab.transit =
          each ->
              each.message().tag() == MaskedSums.REVEAL && each.message().sender() == liar
                  ? forged(each, random)
                  : List.of(each);
      round++;
      Map<Integer, Payload> heard = new TreeMap<>();
      BitSet came = new BitSet();
      for (int sender = 0; sender < 5; sender++) {
        Payload said = lab.say(sender, round);
        if (sender != missing) {
          heard.put(sender, said);
          came.set(sender);
        }
      }
      Optional<SecretSum.Sum> sum = lab.open(heard, round);
      sum.ifPresent(right -> assertThat(right.mean()).containsExactly(lab.twin(came)));
      opened += sum.isPresent() ? 1 : 0;
      lab.deliver();
    }
    // A seed that was changed goes unnoticed only until the check words; a share may not be needed.
    assertThat(opened).isBetween(100, 399);
  }

  /** Something else in its place, sometimes twice, sometimes from somebody else besides. */
  private static List<Lab.Sent> forged(Lab.Sent each, SplitMix random) {
    byte[] bytes = new byte[each.message().payload().size()];
    each.message().payload().buffer().get(bytes);
    byte[] changed =
        random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(2 * bytes.length)) : bytes;
    for (int changes = random.nextInt(3); changes > 0 && changed.length > 0; changes--) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    Message message = each.message();
    Lab.Sent other =
        new Lab.Sent(
            each.to(),
            new Message(message.sender(), message.tag(), message.round(), Payload.of(changed)));
    return switch (random.nextInt(3)) {
      case 0 -> List.of(other);
      case 1 -> List.of(other, each);
      default ->
          List.of(
              new Lab.Sent(
                  each.to(),
                  new Message(
                      random.nextInt(6), message.tag(), message.round(), Payload.of(changed))),
              other);
    };
  }

  /** What came is damaged, all but the numbers, which a sender may choose as it likes. */
  @Test
  void damagedMessagesCountAsMissingOrNotAtAll() {
    SplitMix random = new SplitMix(9);
    Lab lab = lab(5, 16);
    for (int i = 0; i < 400; i++) {
      round++;
      Map<Integer, Payload> heard = new TreeMap<>();
      for (int sender = 0; sender < 5; sender++) {
        heard.put(sender, lab.say(sender, round));
      }
      int damaged = random.nextInt(5);
      byte[] bytes = new byte[heard.get(damaged).size()];
      heard.get(damaged).buffer().get(bytes);
      int shares = 8 + 4 * COUNT + 8;
      int kind = random.nextInt(3);
      if (kind == 0) {
        bytes[random.nextInt(8)] ^= (byte) (1 + random.nextInt(255));
      } else if (kind == 1) {
        bytes[shares + random.nextInt(bytes.length - shares)] ^= (byte) (1 + random.nextInt(255));
      } else {
        bytes = Arrays.copyOf(bytes, bytes.length - 1 - random.nextInt(bytes.length - 1));
      }
      heard.put(damaged, Payload.of(bytes));
      BitSet came = new BitSet();
      came.set(0, 5);
      came.set(damaged, kind == 1);
      assertThat(lab.open(heard, round).orElseThrow().mean()).containsExactly(lab.twin(came));
      lab.deliver();
    }
  }

  /** As many as there may be, all at the limit and with weights that come to almost one. */
  @Test
  void extremesOfAllSendersDoNotWrap() {
    for (FixedPoint numbers : List.of(new FixedPoint(32, 64), new FixedPoint(16, 8))) {
      int senders = numbers.mostSenders();
      Rules rules = new Rules(Lab.SESSION, 3, numbers, 2, false, 1, 0);
      Lab lab = new Lab(senders, 4, rules, UnaryOperator.identity());
      float range = numbers.range();
      lab.values.forEach(values -> {
        values[0] = range;
        values[1] = -range;
        values[2] = 1e30f;
        values[3] = -Float.MAX_VALUE;
      });
      Map<Integer, Payload> heard = new TreeMap<>();
      for (int sender = 0; sender < senders; sender++) {
        heard.put(sender, lab.say(sender, 0));
        assertThat(lab.nodes.get(sender).figures()).containsEntry("secure_clipped", 4.0);
      }
      SecretSum.Sum sum = lab.open(heard, 0).orElseThrow();
      assertThat(sum.weight()).isGreaterThan(0.998);
      assertThat(lab.nodes.getLast().figures())
          .containsEntry("secure_skipped", 0.0)
          .containsEntry("secure_recovered", 0.0)
          .containsEntry("secure_clipped", 0.0)
          .containsKey("seconds_mask");
      for (int i = 0; i < 4; i++) {
        float limit = (float) numbers.limit() * (i % 2 == 0 ? 1 : -1);
        assertThat(sum.mean()[i])
            .isEqualTo(limit, within(range * (numbers.bits() == 32 ? 1e-5f : 0.1f)));
      }
    }
  }
}
