package dev.grapevine.exchange.secure;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Shamir;
import dev.grapevine.security.masking.Slot;

/** Masks that hide. */
public final class RealMasks implements Masks {

  private final int node;
  private final KeyRing keys;
  private final Secrets secrets;

  public RealMasks(int node, KeyRing keys, Secrets secrets) {
    this.node = node;
    this.keys = keys;
    this.secrets = secrets;
  }

  @Override
  public byte[] draw() {
    return secrets.next(MaskStream.SEED_BYTES);
  }

  @Override
  public byte[] seed(int peer, Slot slot) {
    return keys.with(peer).seed(slot);
  }

  @Override
  public byte[][] split(byte[] secret, int shares, int threshold) {
    return Shamir.split(secret, shares, threshold, secrets);
  }

  @Override
  public byte[] seal(int peer, Slot slot, byte[] share) {
    return keys.with(peer).seal(slot, node, share);
  }

  @Override
  public byte[] open(int peer, Slot slot, byte[] sealed) {
    return keys.with(peer).open(slot, peer, sealed);
  }

  @Override
  public Stream stream(int bits, Scratch scratch) {
    MaskStream stream = new MaskStream(bits, scratch);
    return new Stream() {
      @Override
      public void add(byte[] seed, int[] numbers, int count) {
        stream.add(seed, numbers, count);
      }

      @Override
      public void subtract(byte[] seed, int[] numbers, int count) {
        stream.subtract(seed, numbers, count);
      }
    };
  }
}
