package dev.grapevine.security.masking;

import dev.grapevine.scratch.Scratch;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Puts several masks on numbers: each is the keystream of AES-128 in counter mode (NIST SP 800-38A)
 * from counter zero, as little-endian words of 32 or 16 bits. A seed serves for one stream only.
 * Works block by block, all masks on one block before the next, so that everything stays in the
 * nearest caches, and adds several keystreams in one pass: where each had one of its own, half of
 * that time hung on how far apart the arrays happened to lie. Keeps its ciphers, since looking for
 * one takes longer than a block. Not safe for concurrent use.
 */
public final class MaskStream {

  /** Size of a seed: the cipher's key. */
  public static final int SEED_BYTES = 16;

  /** Bytes of one keystream made at a time: the fewer calls of the cipher, the less they cost. */
  private static final int BLOCK_BYTES = 1 << 14;

  private static final byte[] ZEROS = new byte[BLOCK_BYTES];

  /** What makes of a keystream k its complement, −k − 1: adding that and one takes k off. */
  private static final byte[] ONES = new byte[BLOCK_BYTES];

  static {
    Arrays.fill(ONES, (byte) -1);
  }

  private static final IvParameterSpec FROM_ZERO = new IvParameterSpec(ZEROS, 0, SEED_BYTES);

  private final int bits;
  private final List<Cipher> ciphers = new ArrayList<>();
  private final BitSet negative = new BitSet();
  private byte[] pieces = {};
  private int masks;

  /**
   * @param bits of a number: 32 or 16
   */
  public MaskStream(int bits) {
    this.bits = bits;
  }

  /**
   * How many numbers are worked on at a time: whoever has more to do with them does it then.
   *
   * @param bits of a number
   */
  public static int block(int bits) {
    return BLOCK_BYTES * Byte.SIZE / bits;
  }

  /**
   * Begins anew, without masks.
   *
   * @param scratch where pieces are made; the stream is good until it is given back
   */
  public void begin(Scratch scratch) {
    masks = 0;
    negative.clear();
    pieces = scratch.bytes("masks.pieces", Numbers.MOST_TERMS * BLOCK_BYTES);
  }

  /** One more mask that is added. */
  public void add(byte[] seed) {
    try {
      if (masks == ciphers.size()) {
        ciphers.add(Cipher.getInstance("AES/CTR/NoPadding"));
      }
      ciphers.get(masks++).init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"), FROM_ZERO);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES in counter mode", e);
    }
  }

  /** One more mask that is taken off. */
  public void subtract(byte[] seed) {
    negative.set(masks);
    add(seed);
  }

  /**
   * Puts all masks on numbers from {@code from} on. Every call goes on in the masks where the one
   * before ended.
   */
  public void apply(int[] numbers, int from, int count) {
    int most = block(bits);
    for (int done = 0; done < count; done += most) {
      applyToBlock(numbers, from + done, Math.min(most, count - done));
    }
  }

  private void applyToBlock(int[] numbers, int from, int count) {
    try {
      for (int mask = 0; mask < masks; mask += Numbers.MOST_TERMS) {
        int terms = Math.min(Numbers.MOST_TERMS, masks - mask);
        int complements = 0;
        for (int term = 0; term < terms; term++) {
          boolean isOff = negative.get(mask + term);
          complements += isOff ? 1 : 0;
          ciphers
              .get(mask + term)
              .update(
                  isOff ? ONES : ZEROS, 0, count * bits / Byte.SIZE, pieces, term * BLOCK_BYTES);
        }
        Numbers.add(pieces, BLOCK_BYTES, terms, complements, bits, numbers, from, count);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES in counter mode failed", e);
    }
  }
}
