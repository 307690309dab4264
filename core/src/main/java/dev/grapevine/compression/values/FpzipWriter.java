package dev.grapevine.compression.values;

import dev.grapevine.message.PayloadWriter;

/** fpzip's range coder. The interval [low, low + range) is kept in unsigned 32-bit integers. */
final class FpzipWriter {

  private final PayloadWriter out;
  private int low;
  private int range = -1;

  FpzipWriter(PayloadWriter out) {
    this.out = out;
  }

  /** Writes a number below 2^bits as it is, the lower sixteen bits first. */
  void write(int number, int bits) {
    if (bits > 16) {
      narrow(number & 0xffff, 16);
      narrow(number >>> 16, bits - 16);
    } else {
      narrow(number, bits);
    }
  }

  void write(int symbol, FpzipModel model) {
    range >>>= FpzipModel.TOTAL_BITS;
    low += range * model.start(symbol);
    range *= model.share(symbol);
    model.count(symbol);
    normalize();
  }

  private void narrow(int number, int bits) {
    range >>>= bits;
    low += range * number;
    normalize();
  }

  private void normalize() {
    while ((low ^ low + range) >>> 24 == 0) {
      put(1);
      range <<= 8;
    }
    if (range >>> 16 == 0) {
      // The interval straddles a carry: cut it there.
      put(2);
      range = -low;
    }
  }

  private void put(int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.writeByte(low >>> 24);
      low <<= 8;
    }
  }

  void finish() {
    put(4);
  }
}
