package dev.grapevine.exchange.secure;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.Slot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a sender owes its receivers: help to take its masks off. It answers each receiver once for a
 * slot, again only to the same question, and only about sets in which it is itself and which are
 * large enough; so of a sender either the own mask becomes known or those it has with others, never
 * both.
 */
final class Promises {

  /** For how many rounds a sender remembers. */
  static final int ROUNDS = 4;

  private final int node;
  private final Masks masks;
  private final Map<Slot, Promise> promises = new HashMap<>();

  Promises(int node, Masks masks) {
    this.node = node;
    this.masks = masks;
  }

  private static final class Promise {
    final Circle circle;
    final byte[] own;
    @Nullable BitSet answered;

    Promise(Circle circle, byte[] own) {
      this.circle = circle;
      this.own = own;
    }
  }

  /** Remembers the seed of the own mask in a slot, and forgets what is too old. */
  void keep(Circle circle, byte[] own) {
    int round = circle.slot().round();
    promises.keySet().removeIf(slot -> slot.round() <= round - ROUNDS);
    promises.put(circle.slot(), new Promise(circle, own));
  }

  /** Those who may still ask. */
  int[] receivers() {
    return promises.keySet().stream().mapToInt(Slot::receiver).distinct().sorted().toArray();
  }

  /**
   * The answer to a request; empty when it gets none.
   *
   * @throws MalformedPayloadException when it is none
   */
  Optional<Payload> answer(Message request) {
    int channel = Letter.channel(request.payload());
    Slot slot = new Slot(request.sender(), request.round(), channel);
    Promise promise = promises.get(slot);
    if (promise == null) {
      return Optional.empty();
    }
    Circle circle = promise.circle;
    int self = circle.place(node);
    BitSet came = Letter.came(request.payload(), circle.size());
    int[] partners = circle.partners(self);
    int[] owners = IntStream.of(partners).filter(came::get).toArray();
    byte[][] sealed = Letter.sealed(request.payload(), circle.size(), owners.length);
    boolean another = promise.answered != null && !promise.answered.equals(came);
    if (another || !came.get(self) || came.cardinality() < circle.fewest()) {
      return Optional.empty();
    }
    promise.answered = came;
    BitSet opened = new BitSet();
    List<byte[]> shares = new ArrayList<>(owners.length);
    for (int i = 0; i < owners.length; i++) {
      byte[] share = new byte[MaskStream.SEED_BYTES];
      try {
        share = masks.open(circle.sender(owners[i]), slot, sealed[i]);
        opened.set(i);
      } catch (MalformedPayloadException e) {
        // Somebody sealed nonsense: the others' shares are as good as ever.
      }
      shares.add(share);
    }
    List<byte[]> seeds = new ArrayList<>();
    for (int partner : partners) {
      if (!came.get(partner)) {
        seeds.add(masks.seed(circle.sender(partner), slot));
      }
    }
    return Optional.of(new Letter.Answer(channel, promise.own, opened, shares, seeds).write());
  }
}
