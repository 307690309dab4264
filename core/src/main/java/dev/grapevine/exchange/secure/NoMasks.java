package dev.grapevine.exchange.secure;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.PairKeys;
import dev.grapevine.security.masking.Slot;
import java.util.Arrays;

/**
 * The same numbers and the same messages, unmasked: what a run with masks is compared with. All
 * seeds are zero, and so is every stream.
 */
public final class NoMasks implements Masks {

  @Override
  public byte[] draw() {
    return new byte[MaskStream.SEED_BYTES];
  }

  @Override
  public byte[] seed(int peer, Slot slot) {
    return new byte[MaskStream.SEED_BYTES];
  }

  @Override
  public byte[][] split(byte[] secret, int shares, int threshold) {
    byte[][] same = new byte[shares][];
    Arrays.fill(same, secret);
    return same;
  }

  @Override
  public byte[] seal(int peer, Slot slot, byte[] share) {
    return Arrays.copyOf(share, share.length + PairKeys.TAG_BYTES);
  }

  @Override
  public byte[] open(int peer, Slot slot, byte[] sealed) {
    return Arrays.copyOf(sealed, sealed.length - PairKeys.TAG_BYTES);
  }

  @Override
  public Stream stream(int bits, Scratch scratch) {
    return new Stream() {
      @Override
      public void add(byte[] seed) {}

      @Override
      public void subtract(byte[] seed) {}

      @Override
      public void apply(int[] numbers, int from, int count) {}
    };
  }
}
