package dev.grapevine.security.masking;

import dev.grapevine.message.MalformedPayloadException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What two nodes have in common and nobody else knows: one key for masks, one for what they tell
 * each other through a third. HKDF-SHA256 (RFC 5869) makes both of the secret that they agreed on.
 */
public final class PairKeys {

  /** What encrypting adds to a secret: the tag of AES-GCM. */
  public static final int TAG_BYTES = 16;

  private static final int MASK_BYTES = 32;
  private static final int SHARE_BYTES = 16;

  private final SecretKeySpec mask;
  private final SecretKeySpec share;
  private final int peer;
  private final PairCiphers ciphers;

  private PairKeys(byte[] keys, int peer, PairCiphers ciphers) {
    this.peer = peer;
    this.ciphers = ciphers;
    mask = new SecretKeySpec(keys, 0, MASK_BYTES, "AES");
    share = new SecretKeySpec(keys, MASK_BYTES, SHARE_BYTES, "AES");
  }

  /**
   * The keys of two nodes, the same whichever of them has them.
   *
   * @param agreed what the two agreed on
   * @param node who has the keys
   * @param ciphers of the node
   */
  public static PairKeys derive(
      Session session, byte[] agreed, int node, int peer, PairCiphers ciphers) {
    byte[] info = Labels.join("pair", Labels.numbers(Math.min(node, peer), Math.max(node, peer)));
    try {
      return new PairKeys(
          KDF.getInstance("HKDF-SHA256")
              .deriveData(
                  HKDFParameterSpec.ofExtract()
                      .addIKM(agreed)
                      .addSalt(session.id())
                      .thenExpand(info, MASK_BYTES + SHARE_BYTES)),
          peer,
          ciphers);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no HKDF-SHA256", e);
    }
  }

  /** The seed of the masks that the two put on what they send into a slot. */
  public byte[] seed(Slot slot) {
    return ciphers.block(peer, mask, slot.block());
  }

  /** Encrypts what {@code owner} tells the other; once for each slot and owner. */
  public byte[] seal(Slot slot, int owner, byte[] secret) {
    try {
      return ciphers.gcm(peer, Cipher.ENCRYPT_MODE, share, slot.nonce(owner)).doFinal(secret);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES-GCM", e);
    }
  }

  /**
   * Opens what {@link #seal} closed.
   *
   * @throws MalformedPayloadException when it is something else
   */
  public byte[] open(Slot slot, int owner, byte[] sealed) {
    try {
      return ciphers.gcm(peer, Cipher.DECRYPT_MODE, share, slot.nonce(owner)).doFinal(sealed);
    } catch (AEADBadTagException e) {
      throw new MalformedPayloadException(
          "a share that was not sealed for this node: owner=" + owner, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES-GCM", e);
    }
  }

  /** Both keys, for tests of the derivation. */
  byte[] bytes() {
    byte[] both = Arrays.copyOf(mask.getEncoded(), MASK_BYTES + SHARE_BYTES);
    System.arraycopy(share.getEncoded(), 0, both, MASK_BYTES, SHARE_BYTES);
    return both;
  }
}
