package dev.grapevine.exchange.secure;

import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Desk;
import dev.grapevine.exchange.Received;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.exchange.Views;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.Numbers;
import dev.grapevine.security.masking.Slot;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One node's part in all masked sums: as sender, as receiver, and as helper of receivers. */
public final class MaskedSums implements SecretSum {

  /** The messages' tags. */
  public static final int UNMASK = Desk.FIRST_TAG;

  public static final int REVEAL = Desk.FIRST_TAG + 1;
  public static final int DONE = Desk.FIRST_TAG + 2;

  private static final int HASH_BYTES = Long.BYTES;

  /** A node that leaves waits longer than one whose sum is open, for whom it may have to answer. */
  private static final int FAREWELL_PATIENCE = 3;

  private final Desk desk;
  private final Rules rules;
  private final Masks masks;
  private final Promises promises;
  private final BitSet done = new BitSet();

  /** From whom the node heard, by round: who may wait for its farewell. */
  private final TreeMap<Integer, BitSet> heardFrom = new TreeMap<>();

  private @Nullable Opening opening;
  private @Nullable Slot openingSlot;

  private long skipped;
  private long recovered;
  private long clipped;
  private long nanos;
  private long streamBytes;

  public MaskedSums(Desk desk, Rules rules, Masks masks) {
    this.desk = desk;
    this.rules = rules;
    this.masks = masks;
    this.promises = new Promises(desk.node(), masks);
    if (rules.survivesLosses()) {
      desk.onMessage(UNMASK, this::help);
      desk.onMessage(REVEAL, this::helped);
      desk.onMessage(DONE, message -> done.set(message.sender()));
    }
  }

  @Override
  public Said mask(
      int channel,
      int round,
      Neighbourhood own,
      Views views,
      float[] values,
      int count,
      Scratch scratch) {
    long begin = desk.nanos();
    Map<Integer, Payload> payloads = new HashMap<>();
    Writing writing = new Writing(channel, round, values, count, scratch);
    for (int receiver : own.sendsTo()) {
      Neighbourhood view = views.of(receiver);
      if (view != null && rules.allow(view)) {
        Circle circle = Circle.of(rules, new Slot(receiver, round, channel), view);
        int place = circle.place(desk.node());
        if (place >= 0 && writing.isFinite) {
          payloads.put(receiver, writing.write(circle, place));
        }
      }
    }
    clipped += writing.clipped;
    streamBytes += writing.streams * (long) rules.wordBytes() * count;
    nanos += desk.nanos() - begin;
    int[] told = Arrays.stream(own.sendsTo()).filter(payloads::containsKey).toArray();
    return new Said(
        Neighbourhood.sendingTo(desk.node(), told),
        peer -> {
          Payload payload = payloads.get(peer);
          if (payload == null) {
            throw new IllegalArgumentException("nothing is said to node " + peer);
          }
          return payload;
        });
  }

  /** What a node writes in one round of one channel, for one receiver after the other. */
  private final class Writing {

    private final int channel;
    private final int round;
    private final float[] values;
    private final int count;
    private final int size;
    private final int[] plain;
    private final int[] block;
    private final Scratch scratch;
    private double weight = Double.NaN;
    private final boolean isFinite;
    private final int clipped;
    private int streams;

    Writing(int channel, int round, float[] values, int count, Scratch scratch) {
      this.channel = channel;
      this.round = round;
      this.values = values;
      this.count = count;
      this.size = count + rules.checkWords();
      this.plain = scratch.ints("masks.plain", size);
      this.block = scratch.ints("masks.block", MaskStream.block(rules.numbers().bits()));
      this.scratch = scratch;
      int found = rules.numbers().examine(values, count);
      this.isFinite = found >= 0;
      this.clipped = Math.max(0, found);
      if (!isFinite && !rules.survivesLosses()) {
        throw new ArithmeticException(
            "what it shares is not finite, so it cannot be masked; train with a smaller rate or clip"
                + " gradients");
      }
    }

    /** Rounds the values for a weight, unless it is that of the receiver before. */
    private void round(double weight) {
      if (this.weight != weight) {
        this.weight = weight;
        long lot = SplitMix.mix(SplitMix.mix(rules.seed(), desk.node()), round);
        rules
            .numbers()
            .write(values, count, weight, clipped > 0, SplitMix.mix(lot, channel), plain);
      }
    }

    Payload write(Circle circle, int place) {
      round(circle.weight(place));
      Arrays.fill(plain, count, size, 0);
      circle.addCheck(place, plain, count);
      int[] partners = circle.partners(place);
      Masks.Stream stream = masks.stream(rules.numbers().bits(), scratch);
      for (int partner : partners) {
        byte[] seed = masks.seed(circle.sender(partner), circle.slot());
        if (place < partner) {
          stream.add(seed);
        } else {
          stream.subtract(seed);
        }
      }
      streams += partners.length;
      int sharesAt = HASH_BYTES + size * rules.wordBytes();
      boolean shares = rules.survivesLosses();
      byte[] message = new byte[sharesAt + (shares ? partners.length * Letter.SEALED_BYTES : 0)];
      ByteBuffer.wrap(message).putLong(circle.hash(count));
      if (shares) {
        byte[] own = masks.draw();
        stream.add(own);
        streams++;
        promises.keep(circle, own);
        byte[][] cut = masks.split(own, partners.length, circle.threshold());
        for (int i = 0; i < partners.length; i++) {
          byte[] sealed = masks.seal(circle.sender(partners[i]), circle.slot(), cut[i]);
          System.arraycopy(
              sealed, 0, message, sharesAt + i * Letter.SEALED_BYTES, Letter.SEALED_BYTES);
        }
      }
      hide(stream, message);
      return Payload.of(message, message.length, message.length - count * rules.wordBytes());
    }

    /** Writes the numbers with all their masks, block by block while each is in the cache. */
    private void hide(Masks.Stream stream, byte[] message) {
      int bits = rules.numbers().bits();
      int most = MaskStream.block(bits);
      for (int from = 0; from < size; from += most) {
        int length = Math.min(most, size - from);
        System.arraycopy(plain, from, block, 0, length);
        stream.apply(block, 0, length);
        Numbers.write(block, length, bits, message, HASH_BYTES + from * rules.wordBytes());
      }
    }
  }

  @Override
  public void passTime() throws InterruptedException {
    long bytes = streamBytes;
    streamBytes = 0;
    desk.spend(Math.round(bytes * rules.nanosPerByte()));
  }

  @Override
  public boolean isSafe(Neighbourhood own) {
    return rules.allow(own);
  }

  @Override
  public Optional<Sum> open(int channel, Neighbourhood own, Received received, int count)
      throws InterruptedException {
    if (own.hearsFrom().length == 0) {
      return Optional.empty();
    }
    Optional<Sum> sum = rules.allow(own) ? add(channel, own, received, count) : Optional.empty();
    skipped += sum.isPresent() ? 0 : 1;
    passTime();
    return sum;
  }

  private Optional<Sum> add(int channel, Neighbourhood own, Received received, int count)
      throws InterruptedException {
    int round = received.round();
    Circle circle = Circle.of(rules, new Slot(desk.node(), round, channel), own);
    Map<Integer, Payload> messages = valid(circle, received, count);
    BitSet came = new BitSet();
    messages.keySet().forEach(came::set);
    Opening wanted = null;
    int lost = circle.size() - came.cardinality();
    if (rules.survivesLosses()) {
      rememberHeard(circle);
      if (came.cardinality() < circle.fewest()) {
        return Optional.empty();
      }
      wanted = ask(circle, came, messages, count);
      if (!wanted.isEnough()) {
        return Optional.empty();
      }
    } else if (lost > 0) {
      return Optional.empty();
    }
    double weight = 0;
    for (int place = came.nextSetBit(0); place >= 0; place = came.nextSetBit(place + 1)) {
      weight += circle.weight(place);
    }
    Optional<Sum> sum = unmasked(circle, came, messages, wanted, count, weight);
    recovered += sum.isPresent() ? lost : 0;
    return sum;
  }

  /** The messages that are what they should be, by place. */
  private Map<Integer, Payload> valid(Circle circle, Received received, int count) {
    long hash = circle.hash(count);
    Map<Integer, Payload> valid = new TreeMap<>();
    for (Contribution each : received.contributions()) {
      int place = circle.place(each.sender());
      int shares = rules.survivesLosses() ? circle.partners(place).length : 0;
      long size =
          HASH_BYTES
              + (count + (long) rules.checkWords()) * rules.wordBytes()
              + (long) shares * Letter.SEALED_BYTES;
      Payload payload = each.payload();
      if (payload.size() != size) {
        desk.reject(
            each.sender(),
            new MalformedPayloadException(
                "masked values of the wrong size: bytes=%d, expected=%d"
                    .formatted(payload.size(), size)));
      } else if (Long.reverseBytes(payload.buffer().getLong()) != hash) {
        desk.reject(
            each.sender(),
            new MalformedPayloadException("values masked for other senders or weights"));
      } else {
        valid.put(place, payload);
      }
    }
    return valid;
  }

  private Opening ask(Circle circle, BitSet came, Map<Integer, Payload> messages, int count)
      throws InterruptedException {
    int sharesAt = HASH_BYTES + (count + rules.checkWords()) * rules.wordBytes();
    Opening asked = new Opening(circle, came);
    messages.forEach((place, payload) -> asked.sealed(place, payload.buffer().position(sharesAt)));
    opening = asked;
    openingSlot = circle.slot();
    for (int helper : messages.keySet()) {
      desk.send(circle.sender(helper), UNMASK, circle.slot().round(), asked.request(helper));
    }
    boolean inTime =
        desk.await(() -> asked.isEnough() || asked.isOver(desk::isGone), 1) && asked.isEnough();
    opening = null;
    openingSlot = null;
    if (!inTime && asked.isEnough()) {
      recovered += asked.silent();
    }
    return asked;
  }

  private Optional<Sum> unmasked(
      Circle circle,
      BitSet came,
      Map<Integer, Payload> messages,
      @Nullable Opening wanted,
      int count,
      double weight)
      throws InterruptedException {
    float[] mean = new float[count];
    boolean[] right = new boolean[1];
    desk.share(scratch -> {
      long begin = desk.nanos();
      Masks.Stream stream = masks.stream(rules.numbers().bits(), scratch);
      if (wanted != null) {
        streamBytes += wanted.unmask(stream) * (long) rules.wordBytes() * count;
      }
      int[] check = new int[rules.checkWords()];
      add(messages.values(), stream, weight, mean, check, scratch);
      right[0] = isRight(circle, came, check);
      nanos += desk.nanos() - begin;
    });
    return right[0] ? Optional.of(new Sum(mean, weight)) : Optional.empty();
  }

  /**
   * Adds up what came, takes masks off and reads the mean, block by block while each is in the
   * cache.
   *
   * @param check the sums of the check words, which stand behind the values
   */
  private void add(
      Collection<Payload> messages,
      Masks.Stream stream,
      double weight,
      float[] mean,
      int[] check,
      Scratch scratch) {
    int bits = rules.numbers().bits();
    int most = MaskStream.block(bits);
    int size = mean.length + check.length;
    int[] sum = scratch.ints("masks.block", most);
    byte[] bytes = scratch.bytes("masks.heard", most * rules.wordBytes());
    List<ByteBuffer> heard = messages.stream().map(Payload::buffer).toList();
    for (int from = 0; from < size; from += most) {
      int length = Math.min(most, size - from);
      Arrays.fill(sum, 0, length, 0);
      for (ByteBuffer message : heard) {
        message.get(HASH_BYTES + from * rules.wordBytes(), bytes, 0, length * rules.wordBytes());
        Numbers.add(bytes, bits, sum, 0, length);
      }
      stream.apply(sum, 0, length);
      int values = Math.clamp(mean.length - from, 0, length);
      rules.numbers().read(sum, values, weight, mean, from);
      if (values < length) {
        System.arraycopy(sum, values, check, from + values - mean.length, length - values);
      }
    }
  }

  /** Whether the check words add up: else some mask is still on. */
  private boolean isRight(Circle circle, BitSet came, int[] check) {
    int[] expected = new int[check.length];
    came.stream().forEach(place -> circle.addCheck(place, expected, 0));
    int mask = rules.numbers().bits() == Integer.SIZE ? -1 : 0xffff;
    for (int i = 0; i < expected.length; i++) {
      if (((check[i] - expected[i]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  private void help(Message request) throws InterruptedException {
    Optional<Payload> answer = promises.answer(request);
    if (answer.isPresent()) {
      desk.send(request.sender(), REVEAL, request.round(), answer.get());
    }
  }

  private void helped(Message answer) {
    Opening current = opening;
    Slot slot = openingSlot;
    if (current != null
        && slot != null
        && slot.round() == answer.round()
        && slot.channel() == Letter.channel(answer.payload())) {
      current.take(answer.sender(), answer.payload());
    }
  }

  private void rememberHeard(Circle circle) {
    int round = circle.slot().round();
    heardFrom.headMap(round - Promises.ROUNDS, true).clear();
    BitSet senders = heardFrom.computeIfAbsent(round, none -> new BitSet());
    for (int place = 0; place < circle.size(); place++) {
      senders.set(circle.sender(place));
    }
  }

  @Override
  public void finish() throws InterruptedException {
    if (!rules.survivesLosses()) {
      return;
    }
    BitSet senders = new BitSet();
    heardFrom.values().forEach(senders::or);
    for (int sender = senders.nextSetBit(0); sender >= 0; sender = senders.nextSetBit(sender + 1)) {
      desk.send(sender, DONE, 0, Payload.empty());
    }
    int[] receivers = promises.receivers();
    desk.await(
        () -> Arrays.stream(receivers).allMatch(peer -> done.get(peer) || desk.isGone(peer)),
        FAREWELL_PATIENCE);
  }

  @Override
  public Map<String, Double> figures() {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("secure_skipped", (double) skipped);
    figures.put("secure_recovered", (double) recovered);
    figures.put("secure_clipped", (double) clipped);
    figures.put("seconds_mask", nanos / 1e9);
    return figures;
  }
}
