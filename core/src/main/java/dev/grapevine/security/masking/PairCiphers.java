package dev.grapevine.security.masking;

import java.security.GeneralSecurityException;
import java.security.Key;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The ciphers with which one node uses its keys with all others. Looking for a cipher takes ten
 * times as long as a block of it, and getting it ready for another key three times as long; so a
 * node keeps some, each for the keys with the peer who used it last. Not safe for concurrent use.
 */
public final class PairCiphers {

  /** As many as the partners of usual degrees; all of a node's are smaller than a small model. */
  private static final int KEPT = 64;

  private final @Nullable Kept[] kept = new Kept[KEPT];

  /** The ciphers of one pair. */
  private static final class Kept {
    final Cipher blocks;
    final Cipher sealing;
    @Nullable Key blockKey;

    Kept() throws GeneralSecurityException {
      blocks = Cipher.getInstance("AES/ECB/NoPadding");
      sealing = Cipher.getInstance("AES/GCM/NoPadding");
    }
  }

  private Kept of(int peer) throws GeneralSecurityException {
    int place = Math.floorMod(peer, KEPT);
    Kept found = kept[place];
    if (found == null) {
      found = new Kept();
      kept[place] = found;
    }
    return found;
  }

  /** One block, encrypted. */
  byte[] block(int peer, Key key, byte[] block) {
    try {
      Kept ciphers = of(peer);
      if (ciphers.blockKey != key) {
        ciphers.blocks.init(Cipher.ENCRYPT_MODE, key);
        ciphers.blockKey = key;
      }
      return ciphers.blocks.doFinal(block);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES failed", e);
    }
  }

  /** The cipher that seals and opens, ready for one message. */
  Cipher gcm(int peer, int mode, Key key, byte[] nonce) throws GeneralSecurityException {
    Cipher sealing = of(peer).sealing;
    // With the key of the time before this takes half as long.
    sealing.init(mode, key, new GCMParameterSpec(Byte.SIZE * PairKeys.TAG_BYTES, nonce));
    return sealing;
  }
}
