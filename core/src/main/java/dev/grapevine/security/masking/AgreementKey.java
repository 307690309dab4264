package dev.grapevine.security.masking;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/**
 * One node's key of a session: the secret half of an X25519 pair (RFC 7748). Two nodes that know
 * each other's public halves agree on the same secret.
 */
public final class AgreementKey {

  /** Size of both halves, and of what is agreed on. */
  public static final int BYTES = 32;

  private static final BigInteger BASE_POINT = BigInteger.valueOf(9);

  private final PrivateKey secret;
  private final byte[] shown;

  private AgreementKey(PrivateKey secret, byte[] shown) {
    this.secret = secret;
    this.shown = shown;
  }

  /** The key with a secret of {@value #BYTES} bytes. */
  public static AgreementKey of(byte[] secret) {
    requireSize(secret);
    try {
      KeyFactory factory = KeyFactory.getInstance("X25519");
      PrivateKey key =
          factory.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, secret.clone()));
      PublicKey base =
          factory.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, BASE_POINT));
      // The public half is the secret times the base point: what one agrees on with number 9.
      return new AgreementKey(key, agree(key, base));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no X25519", e);
    }
  }

  /** A new key. */
  public static AgreementKey draw(Secrets secrets) {
    return of(secrets.next(BYTES));
  }

  /** The public half, for the roster. */
  public byte[] publicKey() {
    return shown.clone();
  }

  /**
   * What the two nodes agree on; nobody else can know it.
   *
   * @throws IllegalArgumentException when the other's public half is none
   */
  public byte[] agree(byte[] theirs) {
    requireSize(theirs);
    try {
      PublicKey other =
          KeyFactory.getInstance("X25519")
              .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, number(theirs)));
      return agree(secret, other);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("no public key of X25519: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no X25519", e);
    }
  }

  private static byte[] agree(PrivateKey own, PublicKey other) throws GeneralSecurityException {
    KeyAgreement agreement = KeyAgreement.getInstance("X25519");
    agreement.init(own);
    agreement.doPhase(other, true);
    return agreement.generateSecret();
  }

  /** A public half as RFC 7748 writes it: little-endian, the highest bit ignored. */
  private static BigInteger number(byte[] key) {
    byte[] reversed = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      reversed[BYTES - 1 - i] = key[i];
    }
    reversed[0] &= 0x7f;
    return new BigInteger(1, reversed);
  }

  private static void requireSize(byte[] key) {
    if (key.length != BYTES) {
      throw new IllegalArgumentException(
          "a key has %d bytes: length=%d".formatted(BYTES, key.length));
    }
  }
}
