package dev.grapevine.protocol;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import java.nio.ByteBuffer;

/** A few numbers of the protocol's own in front of what an encoding wrote. */
public record Envelope(int[] header, Payload content) {

  /** More numbers than any protocol here needs; anything longer is not from us. */
  private static final int MOST = 1 << 16;

  /** Numbers and content as one payload, which says how many numbers there are. */
  public Payload seal() {
    return write(true);
  }

  /** The same for readers that know how many numbers there are. */
  public Payload sealBare() {
    return write(false);
  }

  private Payload write(boolean counted) {
    PayloadWriter out = new PayloadWriter(Integer.BYTES * (1 + header.length) + content.size());
    out.beginMetadata();
    if (counted) {
      out.writeInt(header.length);
    }
    for (int number : header) {
      out.writeInt(number);
    }
    out.endMetadata();
    ByteBuffer bytes = content.buffer();
    int at = out.claim(bytes.remaining());
    bytes.get(out.array(), at, bytes.remaining());
    return out.finish();
  }

  /** Opens what {@link #seal} closed. */
  public static Envelope open(Payload payload) {
    if (payload.size() < Integer.BYTES) {
      throw new MalformedPayloadException("a header is missing: bytes=" + payload.size());
    }
    return openBare(payload.after(Integer.BYTES), payload.buffer().getInt());
  }

  /** Opens what {@link #sealBare} closed around {@code length} numbers. */
  public static Envelope openBare(Payload payload, int length) {
    ByteBuffer in = payload.buffer();
    if (length < 0 || length > MOST || in.remaining() < (long) length * Integer.BYTES) {
      throw new MalformedPayloadException(
          "a header of %d numbers does not fit: bytes=%d".formatted(length, in.remaining()));
    }
    int[] header = new int[length];
    for (int i = 0; i < length; i++) {
      header[i] = in.getInt();
    }
    return new Envelope(header, payload.after(length * Integer.BYTES));
  }
}
