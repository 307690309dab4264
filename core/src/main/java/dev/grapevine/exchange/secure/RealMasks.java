package dev.grapevine.exchange.secure;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Shamir;
import dev.grapevine.security.masking.Slot;
import java.util.HashMap;
import java.util.Map;

/** Masks that hide. */
public final class RealMasks implements Masks {

  private final int node;
  private final KeyRing keys;
  private final Secrets secrets;
  private final Map<Integer, Layers> streams = new HashMap<>();

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
    Layers layers = streams.computeIfAbsent(bits, wanted -> new Layers(new MaskStream(wanted)));
    layers.masks.begin(scratch);
    return layers;
  }

  private record Layers(MaskStream masks) implements Stream {
    @Override
    public void add(byte[] seed) {
      masks.add(seed);
    }

    @Override
    public void subtract(byte[] seed) {
      masks.subtract(seed);
    }

    @Override
    public void apply(int[] numbers, int from, int count) {
      masks.apply(numbers, from, count);
    }
  }
}
