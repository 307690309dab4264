package dev.grapevine.security;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes X.509 certificates (RFC 5280) over keys on the curve P-256, signed with ECDSA and SHA-256.
 * The Java platform reads certificates but has no public way to make them.
 */
final class CertificateWriter {

  private static final String CURVE = "secp256r1";
  private static final byte[] ECDSA_WITH_SHA256 =
      Der.sequence(Der.identifier("1.2.840.10045.4.3.2"));

  private static final int DIGITAL_SIGNATURE = 0;
  private static final int KEY_CERT_SIGN = 5;
  private static final int CRL_SIGN = 6;
  private static final int URI_NAME = 6;
  private static final int SERIAL_BYTES = 16;

  private CertificateWriter() {}

  static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK makes no keys on " + CURVE, e);
    }
  }

  /**
   * What a certificate says.
   *
   * @param subject the common name of its holder
   * @param issuer the common name of who signs
   * @param isAuthority whether its holder may sign others
   * @param names alternative names of its holder, as URIs
   */
  record Content(
      String subject,
      String issuer,
      PublicKey key,
      Instant from,
      Instant until,
      boolean isAuthority,
      List<String> names) {}

  /** Signs a certificate; {@code signer} and {@code signerPublic} are one pair of keys. */
  static X509Certificate sign(Content content, PrivateKey signer, PublicKey signerPublic) {
    byte[] body =
        Der.sequence(
            Der.explicit(0, Der.integer(BigInteger.TWO)),
            Der.integer(serial()),
            ECDSA_WITH_SHA256,
            name(content.issuer()),
            Der.sequence(Der.time(content.from()), Der.time(content.until())),
            name(content.subject()),
            content.key().getEncoded(),
            Der.explicit(3, extensions(content, signerPublic)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(signer);
      signature.update(body);
      byte[] whole = Der.sequence(body, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
      return read(whole);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  /** A certificate from its DER or PEM form. */
  static X509Certificate read(byte[] encoded) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static byte[] name(String commonName) {
    return Der.sequence(Der.set(Der.sequence(Der.identifier("2.5.4.3"), Der.text(commonName))));
  }

  private static byte[] extensions(Content content, PublicKey signer) {
    List<byte[]> all = new ArrayList<>();
    all.add(
        critical(
            "2.5.29.19",
            content.isAuthority()
                ? Der.sequence(Der.yes(), Der.integer(BigInteger.ZERO))
                : Der.sequence()));
    all.add(
        critical(
            "2.5.29.15",
            content.isAuthority()
                ? Der.flags(KEY_CERT_SIGN, CRL_SIGN)
                : Der.flags(DIGITAL_SIGNATURE)));
    if (!content.isAuthority()) {
      all.add(
          extension(
              "2.5.29.37",
              Der.sequence(
                  Der.identifier("1.3.6.1.5.5.7.3.1"), Der.identifier("1.3.6.1.5.5.7.3.2"))));
    }
    all.add(extension("2.5.29.14", Der.octets(keyIdentifier(content.key()))));
    all.add(extension("2.5.29.35", Der.sequence(Der.implicitBytes(0, keyIdentifier(signer)))));
    if (!content.names().isEmpty()) {
      byte[][] uris =
          content.names().stream()
              .map(name -> Der.implicitText(URI_NAME, name))
              .toArray(byte[][]::new);
      all.add(extension("2.5.29.17", Der.sequence(uris)));
    }
    return Der.sequence(all.toArray(byte[][]::new));
  }

  private static byte[] extension(String identifier, byte[] value) {
    return Der.sequence(Der.identifier(identifier), Der.octets(value));
  }

  private static byte[] critical(String identifier, byte[] value) {
    return Der.sequence(Der.identifier(identifier), Der.yes(), Der.octets(value));
  }

  /** 160 bits of a hash of the key (RFC 7093, method 1). */
  private static byte[] keyIdentifier(PublicKey key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      return java.util.Arrays.copyOf(hash, 20);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  /** Random and positive, never zero. */
  private static BigInteger serial() {
    byte[] bytes = new byte[SERIAL_BYTES];
    new SecureRandom().nextBytes(bytes);
    bytes[0] = (byte) (bytes[0] & 0x7f | 0x40);
    return new BigInteger(bytes);
  }
}
