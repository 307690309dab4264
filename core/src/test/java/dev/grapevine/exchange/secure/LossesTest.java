package dev.grapevine.exchange.secure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.exchange.SecretSum;
import dev.grapevine.message.Payload;
import java.util.ArrayList;
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
    AFTER_MASKED,
    AFTER_REVEAL
  }

  private record Loss(int sender, Moment moment, boolean isKnown) {}

  @Test
  void oneLostAtAnyMoment() {
    for (int senders = 3; senders <= 6; senders++) {
      for (Loss loss : losses(senders)) {
        check(senders, List.of(loss), 16);
      }
    }
  }

  @Test
  void twoLostAtAnyMoments() {
    for (int senders = 3; senders <= 6; senders++) {
      List<Loss> all = losses(senders);
      for (Loss one : all) {
        for (Loss other : all) {
          if (one.sender < other.sender && one.isKnown != other.isKnown) {
            check(senders, List.of(one, other), 16);
          }
        }
      }
    }
  }

  @Test
  void twoLostWhereEachMasksWithSomeOnly() {
    List<Loss> all = losses(9);
    for (Loss one : all) {
      for (Loss other : all) {
        if (one.sender < other.sender && !one.isKnown && !other.isKnown) {
          check(9, List.of(one, other), 4);
        }
      }
    }
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

  private static void check(int senders, List<Loss> losses, int partners) {
    Rules usual = Lab.rules(true, 3);
    Rules rules = new Rules(usual.session(), 3, usual.numbers(), partners, true, usual.seed(), 0);
    Lab lab = new Lab(senders, COUNT, rules, UnaryOperator.identity());
    BitSet came = new BitSet();
    came.set(0, senders);
    BitSet silent = new BitSet();
    for (Loss loss : losses) {
      if (loss.moment == Moment.BEFORE_MASKED) {
        came.clear(loss.sender);
      }
      if (loss.moment != Moment.AFTER_REVEAL) {
        silent.set(loss.sender);
        if (loss.isKnown) {
          lab.gone.set(loss.sender);
        }
      }
    }
    lab.isLost = (from, tag) -> tag == MaskedSums.REVEAL && silent.get(from);
    Map<Integer, Payload> heard = new TreeMap<>();
    for (int sender = 0; sender < senders; sender++) {
      Payload said = lab.say(sender, 5);
      if (came.get(sender)) {
        heard.put(sender, said);
      }
    }
    Optional<SecretSum.Sum> sum = lab.open(heard, 5);
    String what = "%d senders, %s".formatted(senders, losses);
    assertThat(sum.isPresent()).as(what).isEqualTo(canBeOpened(lab, came, silent, partners));
    if (sum.isPresent()) {
      assertThat(sum.get().mean()).as(what).containsExactly(lab.twin(came));
    }
    Map<String, Double> figures = lab.nodes.get(senders).figures();
    assertThat(figures.get("secure_skipped")).as(what).isEqualTo(sum.isPresent() ? 0.0 : 1.0);
    assertThat(lab.complaints).isEmpty();
  }

  /** By the rules, written down once more: seeds of lost ones, and shares of silent ones. */
  private static boolean canBeOpened(Lab lab, BitSet came, BitSet silent, int partners) {
    int senders = lab.senders;
    Circle circle =
        Circle.of(lab.rules, new dev.grapevine.security.masking.Slot(senders, 5, 0), lab.receiver);
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
}
