package dev.grapevine.security;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** A key pair of a worker with the certificate that names it. */
public final class WorkerIdentity {

  /**
   * Identity files are guarded by their mode, like keys of ssh; the format wants a password, too.
   */
  static final String PASSWORD = "grapevine";

  static final String ALIAS = "identity";

  /** Clocks of machines differ; a certificate is valid from a while before it was made. */
  static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

  /** Longer than any run. */
  private static final Duration SELF_SIGNED = Duration.ofDays(366);

  private final PrivateKey key;
  private final List<X509Certificate> chain;

  WorkerIdentity(PrivateKey key, List<X509Certificate> chain) {
    this.key = key;
    this.chain = List.copyOf(chain);
  }

  /** A new identity that nobody vouches for but itself; the run's secret must. */
  public static WorkerIdentity selfSigned(String name) {
    Instant now = Instant.now();
    return selfSigned(name, now.minus(CLOCK_DIFFERENCE), now.plus(SELF_SIGNED));
  }

  static WorkerIdentity selfSigned(String name, Instant from, Instant until) {
    KeyPair keys = CertificateWriter.newKeys();
    CertificateWriter.Content content =
        new CertificateWriter.Content(name, name, keys.getPublic(), from, until, false, List.of());
    X509Certificate certificate =
        CertificateWriter.sign(content, keys.getPrivate(), keys.getPublic());
    return new WorkerIdentity(keys.getPrivate(), List.of(certificate));
  }

  /**
   * Reads a PKCS#12 file, as {@code grapevine identity worker} makes them.
   *
   * @throws UserException when it is not there, is none, or others than its owner can read it
   */
  public static WorkerIdentity load(Path file) {
    try (InputStream in = PrivateFile.open(file, "key of an identity")) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      if (store.getKey(ALIAS, PASSWORD.toCharArray()) instanceof PrivateKey key) {
        Certificate[] chain = store.getCertificateChain(ALIAS);
        return new WorkerIdentity(
            key, Arrays.stream(chain).map(X509Certificate.class::cast).toList());
      }
      throw new UserException(
          "%s holds no key named %s; make one with: grapevine identity worker"
              .formatted(file, ALIAS));
    } catch (IOException | GeneralSecurityException e) {
      throw new UserException(
          "cannot read the identity in %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  /** Writes it to a new PKCS#12 file that its owner alone can read. */
  public void write(Path file) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(ALIAS, key, PASSWORD.toCharArray(), chain.toArray(Certificate[]::new));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      store.store(bytes, PASSWORD.toCharArray());
      PrivateFile.write(file, bytes.toByteArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new UserException("cannot write %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  PrivateKey key() {
    return key;
  }

  /** Signs something; who knows the certificate can tell that nobody else did. */
  public byte[] sign(byte[] statement) {
    try {
      Signature signature = Signature.getInstance(algorithm(key));
      signature.initSign(key);
      signature.update(statement);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new UserException(
          "the key of this identity cannot sign: %s; make one with: grapevine identity worker"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Whether the holder of a certificate has signed something. */
  public static boolean hasSigned(X509Certificate certificate, byte[] statement, byte[] signature) {
    try {
      Signature checked = Signature.getInstance(algorithm(certificate.getPublicKey()));
      checked.initVerify(certificate.getPublicKey());
      checked.update(statement);
      return checked.verify(signature);
    } catch (GeneralSecurityException e) {
      // Not even the form of a signature.
      return false;
    }
  }

  private static String algorithm(Key key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> key.getAlgorithm();
    };
  }

  /** Its own certificate, then the authority's, if there is one. */
  public List<X509Certificate> chain() {
    return chain;
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /** The certificate of who vouches for it; empty if nobody does. */
  public Optional<X509Certificate> authority() {
    return chain.size() > 1 ? Optional.of(chain.getLast()) : Optional.empty();
  }

  /** Whom the certificate names; empty if it is of no authority. */
  public Optional<CertifiedParty> party() {
    return CertifiedParty.of(certificate());
  }

  /** A short name of a certificate that people can compare: its SHA-256. */
  public static String fingerprint(X509Certificate certificate) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot hash a certificate", e);
    }
  }

  /** A certificate from its DER form, as it came from elsewhere. */
  public static X509Certificate certificate(byte[] encoded) throws RefusedException {
    try {
      return CertificateWriter.read(encoded);
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new RefusedException("what should be a certificate is none", e);
    }
  }
}
