package dev.grapevine.security.masking;

import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Adds masks to numbers: the keystream of AES-128 in counter mode (NIST SP 800-38A) from counter
 * zero, as little-endian words of 32 or 16 bits. A seed serves for one stream only. Works in pieces
 * that stay in the cache between being made and being added. Not safe for concurrent use.
 */
public final class MaskStream {

  /** Size of a seed: the cipher's key. */
  public static final int SEED_BYTES = 16;

  /** Bytes made at a time; fits the second-level cache beside the numbers. */
  private static final int PIECE = 1 << 16;

  private static final byte[] ZEROS = new byte[PIECE];

  private final int bits;
  private final Cipher cipher;
  private final byte[] piece;
  private final int[] words;
  private final short[] halves;

  /**
   * @param bits of a number: 32 or 16
   * @param scratch where pieces are made; the stream is good until it is given back
   */
  public MaskStream(int bits, Scratch scratch) {
    this.bits = bits;
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES in counter mode", e);
    }
    piece = scratch.bytes("masks.piece", PIECE);
    words = scratch.ints("masks.words", PIECE / Integer.BYTES);
    halves = new short[bits == 16 ? PIECE / Short.BYTES : 0];
  }

  /** Adds a seed's stream to the first {@code count} numbers. */
  public void add(byte[] seed, int[] numbers, int count) {
    run(seed, numbers, count, false);
  }

  /** Takes a seed's stream off the first {@code count} numbers. */
  public void subtract(byte[] seed, int[] numbers, int count) {
    run(seed, numbers, count, true);
  }

  private void run(byte[] seed, int[] numbers, int count, boolean negative) {
    int bytesEach = bits / Byte.SIZE;
    int most = PIECE / bytesEach;
    try {
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(seed, "AES"),
          new IvParameterSpec(ZEROS, 0, SEED_BYTES));
      for (int from = 0; from < count; from += most) {
        int length = Math.min(most, count - from);
        cipher.update(ZEROS, 0, length * bytesEach, piece, 0);
        if (bits == Integer.SIZE) {
          addWords(numbers, from, length, negative);
        } else {
          addHalves(numbers, from, length, negative);
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES in counter mode failed", e);
    }
  }

  private void addWords(int[] numbers, int from, int length, boolean negative) {
    little(length * Integer.BYTES).asIntBuffer().get(words, 0, length);
    if (negative) {
      for (int i = 0; i < length; i++) {
        numbers[from + i] -= words[i];
      }
    } else {
      for (int i = 0; i < length; i++) {
        numbers[from + i] += words[i];
      }
    }
  }

  private void addHalves(int[] numbers, int from, int length, boolean negative) {
    little(length * Short.BYTES).asShortBuffer().get(halves, 0, length);
    int sign = negative ? -1 : 1;
    for (int i = 0; i < length; i++) {
      numbers[from + i] += sign * halves[i];
    }
  }

  private ByteBuffer little(int length) {
    return ByteBuffer.wrap(piece, 0, length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
