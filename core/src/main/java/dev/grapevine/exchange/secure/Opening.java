package dev.grapevine.exchange.secure;

import dev.grapevine.message.Payload;
import dev.grapevine.security.masking.Shamir;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A receiver's way to one sum with double masks: whom to ask for what, and what came of it. */
final class Opening {

  private final Circle circle;
  private final BitSet came;

  /** Where the shares stand in a message of the sender at a place. */
  private final Map<Integer, ByteBuffer> sealed = new HashMap<>();

  private final BitSet answered = new BitSet();
  private final Map<Integer, byte[]> own = new HashMap<>();

  /** Opened shares by the place of whom they are of, then by the holder's number. */
  private final Map<Integer, TreeMap<Integer, byte[]>> shares = new HashMap<>();

  private final Map<Pair, byte[]> seeds = new HashMap<>();

  private record Pair(int present, int missing) {}

  Opening(Circle circle, BitSet came) {
    this.circle = circle;
    this.came = came;
  }

  /** Takes note of the sealed shares at the end of a sender's message. */
  void sealed(int place, ByteBuffer shares) {
    sealed.put(place, shares);
  }

  /** What to ask the sender at a place. */
  Payload request(int helper) {
    List<byte[]> forHelper = new ArrayList<>();
    for (int owner : owners(helper)) {
      int holder = Arrays.binarySearch(circle.partners(owner), helper);
      byte[] share = new byte[Letter.SEALED_BYTES];
      ByteBuffer all = sealed.get(owner);
      if (all == null) {
        throw new IllegalStateException("no shares of place " + owner);
      }
      all.get(all.position() + holder * Letter.SEALED_BYTES, share);
      forHelper.add(share);
    }
    return new Letter.Request(circle.slot().channel(), came, forHelper).write(circle.size());
  }

  /** Those of whom the sender at a place holds shares that are asked for. */
  private int[] owners(int helper) {
    return IntStream.of(circle.partners(helper)).filter(came::get).toArray();
  }

  private int[] missingPartners(int helper) {
    return IntStream.of(circle.partners(helper)).filter(place -> !came.get(place)).toArray();
  }

  /** Takes an answer; one that nobody was asked for, or a second one, is dropped. */
  void take(int node, Payload payload) {
    int helper = circle.place(node);
    if (helper < 0 || !came.get(helper) || answered.get(helper)) {
      return;
    }
    int[] owners = owners(helper);
    int[] missing = missingPartners(helper);
    Letter.Answer answer = Letter.Answer.read(payload, owners.length, missing.length);
    answered.set(helper);
    own.put(helper, answer.own());
    for (int i = 0; i < owners.length; i++) {
      if (answer.opened().get(i)) {
        shares
            .computeIfAbsent(owners[i], none -> new TreeMap<>())
            .put(Arrays.binarySearch(circle.partners(owners[i]), helper), answer.shares().get(i));
      }
    }
    for (int i = 0; i < missing.length; i++) {
      seeds.put(new Pair(helper, missing[i]), answer.seeds().get(i));
    }
  }

  /** Whether all masks can be taken off. */
  boolean isEnough() {
    return came.stream().allMatch(place -> ownSeed(place) != null && hasSeedsOf(place));
  }

  private boolean hasSeedsOf(int place) {
    return IntStream.of(missingPartners(place))
        .allMatch(missing -> seeds.containsKey(new Pair(place, missing)));
  }

  /** Whether nobody who could still answer is left, though that may not be enough. */
  boolean isOver(IntPredicate isGone) {
    return came.stream()
        .allMatch(place -> answered.get(place) || isGone.test(circle.sender(place)));
  }

  /** How many came and did not answer. */
  int silent() {
    return came.cardinality() - answered.cardinality();
  }

  private byte @Nullable [] ownSeed(int place) {
    byte[] told = own.get(place);
    if (told != null) {
      return told;
    }
    TreeMap<Integer, byte[]> held = shares.get(place);
    if (held == null || held.size() < circle.threshold()) {
      return null;
    }
    int[] holders =
        held.keySet().stream().limit(circle.threshold()).mapToInt(Integer::intValue).toArray();
    byte[][] values = held.values().stream().limit(circle.threshold()).toArray(byte[][]::new);
    return Shamir.join(holders, values);
  }

  /** Names all masks that are on a sum; {@link #isEnough} must hold. Returns how many there are. */
  int unmask(Masks.Stream stream) {
    int streams = 0;
    for (int place = came.nextSetBit(0); place >= 0; place = came.nextSetBit(place + 1)) {
      byte[] seed = ownSeed(place);
      if (seed == null) {
        throw new IllegalStateException("the own mask of place %d is not known".formatted(place));
      }
      stream.subtract(seed);
      streams++;
      for (int missing : missingPartners(place)) {
        byte[] common = seeds.get(new Pair(place, missing));
        if (common == null) {
          throw new IllegalStateException(
              "no seed: place=%d, missing=%d".formatted(place, missing));
        }
        // The lower of two added it, so that is undone by taking it off.
        if (place < missing) {
          stream.subtract(common);
        } else {
          stream.add(common);
        }
        streams++;
      }
    }
    return streams;
  }
}
