package dev.grapevine.exchange.secure;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.PairKeys;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * The small messages by which a sum is opened. Both begin with the channel, which frames of tagged
 * messages do not have, and with sets of places as bits.
 */
final class Letter {

  /** A share on its way. */
  static final int SEALED_BYTES = MaskStream.SEED_BYTES + PairKeys.TAG_BYTES;

  private Letter() {}

  /**
   * UNMASK: a receiver tells a helper who came.
   *
   * @param channel the exchange
   * @param came the places of those who came
   * @param sealed the shares for the helper, by place of whom they are of: his partners who came
   */
  record Request(int channel, BitSet came, List<byte[]> sealed) {

    Payload write(int places) {
      PayloadWriter out = new PayloadWriter(16 + SEALED_BYTES * sealed.size());
      out.beginMetadata();
      out.writeByte(channel);
      writeSet(came, places, out);
      sealed.forEach(share -> out.writeBytes(share, 0, share.length));
      out.endMetadata();
      return out.finish();
    }
  }

  /** The channel of a request or answer, by which its reader finds what it is about. */
  static int channel(Payload payload) {
    if (payload.size() < 1) {
      throw new MalformedPayloadException("an empty message about masks");
    }
    return payload.buffer().get() & 0xff;
  }

  /** The set of a request, which has come in full. */
  static BitSet came(Payload payload, int places) {
    ByteBuffer in = payload.buffer();
    in.get();
    return readSet(in, places);
  }

  /** The sealed shares of a request: so many. */
  static byte[][] sealed(Payload payload, int places, int count) {
    return readAll(payload, 1 + setBytes(places), count, SEALED_BYTES);
  }

  /**
   * REVEAL: a helper's answer.
   *
   * @param channel the exchange
   * @param own the seed of the helper's own mask
   * @param opened which of the shares could be opened, counted as in the request
   * @param shares those that could, and zeros
   * @param seeds of the masks with partners who did not come, by place
   */
  record Answer(int channel, byte[] own, BitSet opened, List<byte[]> shares, List<byte[]> seeds) {

    Payload write() {
      PayloadWriter out =
          new PayloadWriter(64 + MaskStream.SEED_BYTES * (shares.size() + seeds.size()));
      out.beginMetadata();
      out.writeByte(channel);
      out.writeBytes(own, 0, own.length);
      writeSet(opened, shares.size(), out);
      shares.forEach(share -> out.writeBytes(share, 0, share.length));
      seeds.forEach(seed -> out.writeBytes(seed, 0, seed.length));
      out.endMetadata();
      return out.finish();
    }

    /** Reads what has come for so many shares and seeds. */
    static Answer read(Payload payload, int shares, int seeds) {
      byte[][] all;
      BitSet opened;
      int head = 1 + MaskStream.SEED_BYTES + setBytes(shares);
      if (payload.size() < head) {
        throw new MalformedPayloadException("not an answer about masks: bytes=" + payload.size());
      }
      ByteBuffer in = payload.buffer();
      int channel = in.get() & 0xff;
      byte[] own = new byte[MaskStream.SEED_BYTES];
      in.get(own);
      opened = readSet(in, shares);
      all = readAll(payload, head, shares + seeds, MaskStream.SEED_BYTES);
      return new Answer(
          channel,
          own,
          opened,
          List.of(all).subList(0, shares),
          List.of(all).subList(shares, shares + seeds));
    }
  }

  private static byte[][] readAll(Payload payload, int head, int count, int bytesEach) {
    if (payload.size() != head + (long) count * bytesEach) {
      throw new MalformedPayloadException(
          "a message about masks of the wrong size: bytes=%d, expected=%d"
              .formatted(payload.size(), head + (long) count * bytesEach));
    }
    ByteBuffer in = payload.buffer().position(head);
    byte[][] all = new byte[count][bytesEach];
    for (byte[] each : all) {
      in.get(each);
    }
    return all;
  }

  private static int setBytes(int places) {
    return (places + 7) / 8;
  }

  private static void writeSet(BitSet set, int places, PayloadWriter out) {
    byte[] bytes = set.toByteArray();
    for (int i = 0; i < setBytes(places); i++) {
      out.writeByte(i < bytes.length ? bytes[i] : 0);
    }
  }

  private static BitSet readSet(ByteBuffer in, int places) {
    if (in.remaining() < setBytes(places)) {
      throw new MalformedPayloadException("a set of places is cut off: bytes=" + in.remaining());
    }
    byte[] bytes = new byte[setBytes(places)];
    in.get(bytes);
    BitSet set = BitSet.valueOf(bytes);
    if (set.length() > places) {
      throw new MalformedPayloadException(
          "a place beyond the senders: place=%d, senders=%d".formatted(set.length() - 1, places));
    }
    return set;
  }
}
