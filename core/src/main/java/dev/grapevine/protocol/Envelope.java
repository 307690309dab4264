package dev.grapevine.protocol;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import java.nio.ByteBuffer;

/** A few numbers of the protocol's own in front of what a sharing scheme wrote. */
record Envelope(int[] header, Payload content) {

  /** More numbers than any protocol here needs; anything longer is not from us. */
  private static final int MOST = 1 << 16;

  Payload seal() {
    PayloadWriter out = new PayloadWriter(Integer.BYTES * (1 + header.length) + content.size());
    out.beginMetadata();
    out.writeInt(header.length);
    for (int number : header) {
      out.writeInt(number);
    }
    out.endMetadata();
    ByteBuffer bytes = content.buffer();
    int at = out.claim(bytes.remaining());
    bytes.get(out.array(), at, bytes.remaining());
    return out.finish();
  }

  static Envelope open(Payload payload) {
    ByteBuffer in = payload.buffer();
    if (in.remaining() < Integer.BYTES) {
      throw new MalformedPayloadException("a header is missing: bytes=" + in.remaining());
    }
    int length = in.getInt();
    if (length < 0 || length > MOST || in.remaining() < (long) length * Integer.BYTES) {
      throw new MalformedPayloadException(
          "a header of %d numbers does not fit: bytes=%d".formatted(length, in.remaining()));
    }
    int[] header = new int[length];
    for (int i = 0; i < length; i++) {
      header[i] = in.getInt();
    }
    byte[] content = new byte[in.remaining()];
    in.get(content);
    return new Envelope(header, Payload.of(content));
  }
}
