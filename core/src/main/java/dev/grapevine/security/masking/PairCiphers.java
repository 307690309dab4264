package dev.grapevine.security.masking;

import java.security.GeneralSecurityException;
import java.security.Key;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The ciphers with which one node uses its keys with all others. Looking for a cipher takes ten
 * times as long as a block of it, so a node keeps one of each. Not safe for concurrent use.
 */
public final class PairCiphers {

  private final Cipher blocks;
  private final Cipher sealing;

  public PairCiphers() {
    try {
      blocks = Cipher.getInstance("AES/ECB/NoPadding");
      sealing = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES", e);
    }
  }

  /** One block, encrypted. */
  byte[] block(Key key, byte[] block) {
    try {
      blocks.init(Cipher.ENCRYPT_MODE, key);
      return blocks.doFinal(block);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES failed", e);
    }
  }

  /** The cipher that seals and opens, ready for one message. */
  Cipher gcm(int mode, Key key, byte[] nonce) throws GeneralSecurityException {
    sealing.init(mode, key, new GCMParameterSpec(Byte.SIZE * PairKeys.TAG_BYTES, nonce));
    return sealing;
  }
}
