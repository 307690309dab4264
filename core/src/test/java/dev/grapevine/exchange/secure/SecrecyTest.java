package dev.grapevine.exchange.secure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.Session;
import dev.grapevine.security.masking.Slot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What leaves a node tells nothing, and no message talks it into telling. */
class SecrecyTest {

  private static final int COUNT = 20_000;
  private static final int SENDERS = 5;
  private static final int SPEAKER = 2;

  /** χ² of 256 byte values has 255 degrees of freedom: this is beyond six deviations. */
  private static final double LARGEST_CHI = 255 + 6 * Math.sqrt(2 * 255);

  private static final double LARGEST_CORRELATION = 6 / Math.sqrt(COUNT);

  /** Leaves one mask out: the one that a node has with a peer, or its own. */
  private record OneLeftOut(Masks real, int peer) implements Masks {
    @Override
    public byte[] draw() {
      return peer < 0 ? new byte[16] : real.draw();
    }

    @Override
    public byte[] seed(int other, Slot slot) {
      return other == peer ? new byte[16] : real.seed(other, slot);
    }

    @Override
    public byte[][] split(byte[] secret, int shares, int threshold) {
      return real.split(secret, shares, threshold);
    }

    @Override
    public byte[] seal(int other, Slot slot, byte[] share) {
      return real.seal(other, slot, share);
    }

    @Override
    public byte[] open(int other, Slot slot, byte[] sealed) {
      return real.open(other, slot, sealed);
    }

    @Override
    public Stream stream(int bits, Scratch scratch) {
      Stream stream = real.stream(bits, scratch);
      return new Stream() {
        @Override
        public void add(byte[] seed) {
          if (!Arrays.equals(seed, new byte[16])) {
            stream.add(seed);
          }
        }

        @Override
        public void subtract(byte[] seed) {
          if (!Arrays.equals(seed, new byte[16])) {
            stream.subtract(seed);
          }
        }

        @Override
        public void apply(int[] numbers, int from, int count) {
          stream.apply(numbers, from, count);
        }
      };
    }
  }

  /** A sender's values, as an enemy would like to see them. */
  private static void fill(float[] values, int kind) {
    SplitMix random = new SplitMix(5);
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (kind) {
            case 0 -> 0f;
            case 1 -> 1f;
            default -> (float) (0.1 * random.nextGaussian());
          };
    }
  }

  @Test
  void withOneMaskUnknownAMessageIsNoise() {
    for (int kind = 0; kind < 3; kind++) {
      int[] plain = numbers(message(kind, real -> new NoMasks()));
      int[] all = numbers(message(kind, UnaryOperator.identity()));
      for (int unknown = -1; unknown < SENDERS; unknown++) {
        if (unknown != SPEAKER) {
          int mask = unknown;
          int[] others = numbers(message(kind, real -> new OneLeftOut(real, mask)));
          // Whoever knows all masks but one takes them off, and has the values under that one.
          int[] hidden = new int[COUNT];
          Arrays.setAll(hidden, i -> all[i] - (others[i] - plain[i]));
          assertThat(looksRandom(hidden, kind)).as("values %d, mask %d", kind, mask).isTrue();
          // Had it been left out, they would be bare.
          int[] bare = new int[COUNT];
          Arrays.setAll(bare, i -> others[i] - (others[i] - plain[i]));
          assertThat(looksRandom(bare, kind)).as("values %d without %d", kind, mask).isFalse();
        }
      }
    }
  }

  private static Payload message(int kind, UnaryOperator<Masks> masks) {
    Lab lab = new Lab(SENDERS, COUNT, Lab.rules(true, 3), masks);
    fill(lab.values.get(SPEAKER), kind);
    return lab.say(SPEAKER, 9);
  }

  private static int[] numbers(Payload payload) {
    int[] numbers = new int[COUNT];
    payload.buffer().position(8).slice().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(numbers);
    return numbers;
  }

  /** Bytes equally likely, and no likeness to the values. */
  private static boolean looksRandom(int[] numbers, int kind) {
    int[] seen = new int[256];
    for (int number : numbers) {
      for (int shift = 0; shift < 32; shift += 8) {
        seen[number >>> shift & 0xff]++;
      }
    }
    double expected = numbers.length * 4 / 256.0;
    double chi =
        Arrays.stream(seen).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    float[] values = new float[COUNT];
    fill(values, kind);
    return chi < LARGEST_CHI && Math.abs(correlation(numbers, values)) < LARGEST_CORRELATION;
  }

  private static double correlation(int[] numbers, float[] values) {
    double product = 0;
    double squares = 1e-30;
    double others = 1e-30;
    double mean = 0;
    for (float value : values) {
      mean += value / values.length;
    }
    for (int i = 0; i < numbers.length; i++) {
      double centred = values[i] - mean;
      product += numbers[i] * centred;
      squares += centred * centred;
      others += (double) numbers[i] * numbers[i];
    }
    return product / Math.sqrt(squares * others);
  }

  @Test
  void noStreamServesTwice() {
    Set<String> seeds = new HashSet<>();
    int used = 0;
    for (String words : List.of("first start", "resumed", "forked")) {
      Rules usual = Lab.rules(true, 3);
      Rules rules = new Rules(Session.drawn(words), 3, usual.numbers(), 16, true, usual.seed(), 0);
      // Pair seeds are known to two, so each pair's count once.
      for (int sender = 0; sender < SENDERS; sender++) {
        int self = sender;
        Lab recorded =
            new Lab(
                SENDERS,
                8,
                rules,
                real ->
                    new Recording(
                        real,
                        self,
                        (peer, seed) -> {
                          if (peer < 0 || peer > self) {
                            assertThat(seeds.add(Arrays.toString(seed))).isTrue();
                          }
                        }));
        for (int round = 0; round < 6; round++) {
          for (int channel = 0; channel < 2; channel++) {
            Payload unused = recorded.say(sender, round, channel);
            used++;
          }
        }
      }
    }
    assertThat(used).isEqualTo(3 * SENDERS * 12);
    // Own masks, and a pair's masks once: per message one, and per pair and slot one.
    assertThat(seeds).hasSize(3 * 12 * (SENDERS + SENDERS * (SENDERS - 1) / 2));
  }

  private interface Listener {
    void seed(int peer, byte[] seed);
  }

  private record Recording(Masks real, int node, Listener listener) implements Masks {
    @Override
    public byte[] draw() {
      byte[] seed = real.draw();
      listener.seed(-1, seed);
      return seed;
    }

    @Override
    public byte[] seed(int peer, Slot slot) {
      byte[] seed = real.seed(peer, slot);
      listener.seed(peer, seed);
      return seed;
    }

    @Override
    public byte[][] split(byte[] secret, int shares, int threshold) {
      return real.split(secret, shares, threshold);
    }

    @Override
    public byte[] seal(int peer, Slot slot, byte[] share) {
      return real.seal(peer, slot, share);
    }

    @Override
    public byte[] open(int peer, Slot slot, byte[] sealed) {
      return real.open(peer, slot, sealed);
    }

    @Override
    public Stream stream(int bits, Scratch scratch) {
      return real.stream(bits, scratch);
    }
  }

  /** A lab in which all have said something in round 5 and the receiver has opened it. */
  private static Lab opened() {
    Lab lab = new Lab(SENDERS, 20, Lab.rules(true, 3), UnaryOperator.identity());
    Map<Integer, Payload> heard = new TreeMap<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      heard.put(sender, lab.say(sender, 5));
    }
    assertThat(lab.open(heard, 5)).isPresent();
    lab.deliver();
    lab.sent.clear();
    return lab;
  }

  private static Payload requestOf(Lab lab, int helper) {
    lab.sent.clear();
    Map<Integer, Payload> heard = new TreeMap<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      heard.put(sender, lab.say(sender, 6));
    }
    assertThat(lab.open(heard, 6)).isPresent();
    lab.deliver();
    Payload request =
        lab.sentWith(MaskedSums.UNMASK).stream()
            .filter(each -> each.to() == helper)
            .findFirst()
            .orElseThrow()
            .message()
            .payload();
    lab.sent.clear();
    return request;
  }

  @Test
  void theSameQuestionGetsTheSameAnswerAndAnotherSetNone() {
    Lab lab = new Lab(SENDERS, 20, Lab.rules(true, 3), UnaryOperator.identity());
    Payload request = requestOf(lab, 1);
    lab.forge(1, new Message(SENDERS, MaskedSums.UNMASK, 6, request));
    lab.forge(1, new Message(SENDERS, MaskedSums.UNMASK, 6, request));
    lab.deliver();
    assertThat(lab.sentWith(MaskedSums.REVEAL)).hasSize(2);
    lab.sent.clear();
    // Without sender 3: the seeds shared with him would lay his message open.
    BitSet came = BitSet.valueOf(new byte[] {0b10111});
    List<byte[]> sealed = List.of(sealed(request, 0), sealed(request, 1), sealed(request, 3));
    Payload other = new Letter.Request(0, came, sealed).write(SENDERS);
    lab.forge(1, new Message(SENDERS, MaskedSums.UNMASK, 6, other));
    lab.deliver();
    assertThat(lab.sent).isEmpty();
  }

  private static byte[] sealed(Payload request, int index) {
    byte[] share = new byte[Letter.SEALED_BYTES];
    request.buffer().get(2 + index * Letter.SEALED_BYTES, share);
    return share;
  }

  @Test
  void strangersOldRoundsAndSmallSetsGetNoAnswer() {
    Lab lab = opened();
    Payload request = requestOf(lab, 1);
    // Another node asks; another round; a round that nobody remembers.
    lab.forge(1, new Message(2, MaskedSums.UNMASK, 6, request));
    lab.forge(1, new Message(SENDERS, MaskedSums.UNMASK, 7, request));
    lab.deliver();
    assertThat(lab.sent).isEmpty();
    for (int round = 7; round < 7 + Promises.ROUNDS; round++) {
      Payload unused = lab.say(1, round);
    }
    lab.forge(1, new Message(SENDERS, MaskedSums.UNMASK, 6, request));
    lab.deliver();
    assertThat(lab.sent).isEmpty();
  }

  @Test
  void aFirstQuestionAboutTooFewOrWithoutTheHelperGetsNoAnswer() {
    for (int bits = 0; bits < 1 << SENDERS; bits++) {
      Lab lab = new Lab(SENDERS, 20, Lab.rules(true, 3), UnaryOperator.identity());
      Map<Integer, Payload> said = new TreeMap<>();
      for (int sender = 0; sender < SENDERS; sender++) {
        said.put(sender, lab.say(sender, 6));
      }
      BitSet came = BitSet.valueOf(new byte[] {(byte) bits});
      int owners = came.cardinality() - (came.get(1) ? 1 : 0);
      Payload request =
          new Letter.Request(
                  0, came, java.util.Collections.nCopies(owners, new byte[Letter.SEALED_BYTES]))
              .write(SENDERS);
      lab.forge(1, new Message(SENDERS, MaskedSums.UNMASK, 6, request));
      lab.deliver();
      boolean allowed = came.get(1) && came.cardinality() >= 3;
      assertThat(lab.sentWith(MaskedSums.REVEAL)).hasSize(allowed ? 1 : 0);
      if (allowed) {
        // Shares that nobody sealed are not opened.
        Payload answer = lab.sentWith(MaskedSums.REVEAL).getFirst().message().payload();
        assertThat(
                Letter.Answer.read(answer, owners, SENDERS - came.cardinality()).opened().isEmpty())
            .isTrue();
      }
    }
  }

  @Test
  void forgedMessagesNeitherBreakANodeNorMakeItTell() {
    Lab lab = opened();
    Payload request = requestOf(lab, 1);
    byte[] good = new byte[request.size()];
    request.buffer().get(good);
    SplitMix random = new SplitMix(3);
    for (int i = 0; i < 3000; i++) {
      byte[] forged =
          Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(300) : good.length);
      for (int changes = random.nextInt(4); changes >= 0 && forged.length > 0; changes--) {
        int most = random.nextBoolean() ? Math.min(forged.length, 4) : forged.length;
        forged[random.nextInt(most)] = (byte) random.nextInt();
      }
      int tag = MaskedSums.UNMASK + random.nextInt(3);
      if (!Arrays.equals(forged, good)) {
        lab.forge(1, new Message(random.nextInt(SENDERS + 1), tag, 6, Payload.of(forged)));
      }
    }
    lab.deliver();
    // Only the set that was answered before may be answered again, whatever else is in it.
    ByteBuffer asked = ByteBuffer.wrap(good);
    for (Lab.Sent each : lab.sentWith(MaskedSums.REVEAL)) {
      assertThat(each.to()).isEqualTo(SENDERS);
      assertThat(asked.get(1)).isEqualTo((byte) 0b11111);
      assertThat(each.message().payload().size()).isEqualTo(1 + 16 + 1 + 4 * 16);
    }
  }

  /**
   * The receiver itself asks for whatever it likes, with shares of this round and of others: of
   * each helper it hears about one set, and nothing about who is not in it but seeds shared with
   * him.
   */
  @Test
  void anEvilReceiverLearnsOneSetFromEachHelper() {
    SplitMix random = new SplitMix(12);
    for (int attempt = 0; attempt < 20; attempt++) {
      Lab lab = new Lab(SENDERS, 20, Lab.rules(true, 3), UnaryOperator.identity());
      List<byte[]> shares = new java.util.ArrayList<>();
      for (int round = 5; round <= 6; round++) {
        for (int sender = 0; sender < SENDERS; sender++) {
          Payload said = lab.say(sender, round);
          for (int i = 0; i < SENDERS - 1; i++) {
            byte[] share = new byte[Letter.SEALED_BYTES];
            said.buffer().get(8 + 4 * 20 + 8 + i * Letter.SEALED_BYTES, share);
            shares.add(share);
          }
        }
      }
      for (int i = 0; i < 300; i++) {
        BitSet came = BitSet.valueOf(new byte[] {(byte) random.nextInt(1 << SENDERS)});
        int helper = random.nextInt(SENDERS);
        int owners = came.cardinality() - (came.get(helper) ? 1 : 0);
        List<byte[]> sealed = random.ints(owners, 0, shares.size()).mapToObj(shares::get).toList();
        Payload request = new Letter.Request(0, came, sealed).write(SENDERS);
        lab.forge(helper, new Message(SENDERS, MaskedSums.UNMASK, 6, request));
      }
      lab.deliver();
      for (int helper = 0; helper < SENDERS; helper++) {
        int self = helper;
        List<Payload> answers =
            lab.sentWith(MaskedSums.REVEAL).stream()
                .filter(each -> each.message().sender() == self)
                .map(each -> each.message().payload())
                .toList();
        assertThat(answers).isNotEmpty();
        // One set: own seed and seeds with the missing are the same, whatever shares were asked
        // for.
        Set<String> own = new HashSet<>();
        Set<Integer> sizes = new HashSet<>();
        for (Payload answer : answers) {
          byte[] seed = new byte[16];
          answer.buffer().get(1, seed);
          own.add(Arrays.toString(seed));
          sizes.add(answer.size());
        }
        assertThat(own).hasSize(1);
        assertThat(sizes).hasSize(1);
      }
    }
  }

  /** Sender 3 is late: the others have told their seeds with him, and he is hidden all the same. */
  @Test
  void whoComesLateStaysHidden() {
    Lab lab = new Lab(SENDERS, COUNT, Lab.rules(true, 3), UnaryOperator.identity());
    fill(lab.values.get(3), 1);
    Map<Integer, Payload> heard = new TreeMap<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      heard.put(sender, lab.say(sender, 2));
    }
    int[] late = numbers(heard.remove(3));
    assertThat(lab.open(heard, 2)).isPresent();
    lab.deliver();
    int[] known = new int[COUNT];
    Slot slot = new Slot(SENDERS, 2, 0);
    int places = 0;
    for (Lab.Sent each : lab.sentWith(MaskedSums.REVEAL)) {
      int helper = each.message().sender();
      byte[] seed = Letter.Answer.read(each.message().payload(), SENDERS - 2, 1).seeds().getFirst();
      try (Scratch scratch = new Scratch()) {
        MaskStream stream = new MaskStream(32);
        stream.begin(scratch);
        if (helper < 3) {
          stream.subtract(seed);
        } else {
          stream.add(seed);
        }
        stream.apply(known, 0, COUNT);
      }
      places++;
    }
    assertThat(places).isEqualTo(SENDERS - 1);
    assertThat(slot.round()).isEqualTo(2);
    int[] withoutPairs = new int[COUNT];
    Arrays.setAll(withoutPairs, i -> late[i] - known[i]);
    assertThat(looksRandom(withoutPairs, 1)).isTrue();
  }
}
