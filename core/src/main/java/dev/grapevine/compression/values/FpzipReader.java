package dev.grapevine.compression.values;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;

/**
 * The other end of {@link FpzipWriter}. Every number is checked to lie within the current interval,
 * which a forged stream can leave.
 */
final class FpzipReader {

  private final ByteBuffer in;
  private int low;
  private int range = -1;
  private int code;

  FpzipReader(ByteBuffer in) {
    this.in = in;
    get(4);
  }

  int read(int bits) {
    if (bits > 16) {
      int lower = narrow(16);
      return narrow(bits - 16) << 16 | lower;
    }
    return narrow(bits);
  }

  int read(FpzipModel model) {
    range >>>= FpzipModel.TOTAL_BITS;
    int symbol = model.symbolAt(position(FpzipModel.TOTAL_BITS));
    low += range * model.start(symbol);
    range *= model.share(symbol);
    model.count(symbol);
    normalize();
    return symbol;
  }

  private int narrow(int bits) {
    range >>>= bits;
    int number = position(bits);
    low += range * number;
    normalize();
    return number;
  }

  private int position(int bits) {
    int position = Integer.divideUnsigned(code - low, range);
    if (position >>> bits != 0) {
      throw new MalformedPayloadException(
          "fpzip stream leaves its interval: byte=" + in.position());
    }
    return position;
  }

  private void normalize() {
    while ((low ^ low + range) >>> 24 == 0) {
      get(1);
      range <<= 8;
    }
    if (range >>> 16 == 0) {
      get(2);
      range = -low;
    }
  }

  private void get(int bytes) {
    Remaining.require(in, bytes);
    for (int i = 0; i < bytes; i++) {
      code = code << 8 | in.get() & 0xff;
      low <<= 8;
    }
  }
}
