package dev.grapevine.security;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyPair;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * One who vouches for workers, for parties that do not trust whoever launches the run. It has a
 * directory with {@value #KEY_FILE}, which never leaves it, and {@value #CERTIFICATE_FILE}, which
 * anybody may have.
 */
public final class Authority {

  /** The authority's own key. */
  public static final String KEY_FILE = "authority.p12";

  /** The authority's certificate, for people and other tools; workers have it in their file. */
  public static final String CERTIFICATE_FILE = "authority.pem";

  private static final String NAME = "Grapevine authority";

  private final WorkerIdentity identity;

  private Authority(WorkerIdentity identity) {
    this.identity = identity;
  }

  /** A new authority, not yet written anywhere. */
  public static Authority create(Duration validity) {
    KeyPair keys = CertificateWriter.newKeys();
    Instant now = Instant.now();
    X509Certificate certificate =
        CertificateWriter.sign(
            new CertificateWriter.Content(
                NAME,
                NAME,
                keys.getPublic(),
                now.minus(WorkerIdentity.CLOCK_DIFFERENCE),
                now.plus(validity),
                true,
                List.of()),
            keys.getPrivate(),
            keys.getPublic());
    return new Authority(new WorkerIdentity(keys.getPrivate(), List.of(certificate)));
  }

  /** Reads the authority of a directory. */
  public static Authority load(Path directory) {
    Path file = directory.resolve(KEY_FILE);
    if (!Files.exists(file)) {
      throw new UserException(
          "there is no authority in %s; make one with: grapevine identity authority --out %s"
              .formatted(directory, directory));
    }
    return new Authority(WorkerIdentity.load(file));
  }

  /** Writes key and certificate into a directory, which must not hold an authority yet. */
  public void write(Path directory) {
    try {
      Files.createDirectories(directory);
      if (Files.exists(directory.resolve(KEY_FILE))) {
        throw new UserException(
            directory + " holds an authority already; name another directory with --out");
      }
      identity.write(directory.resolve(KEY_FILE));
      Files.writeString(
          directory.resolve(CERTIFICATE_FILE),
          pem(certificate()),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UserException(
          "cannot write to %s: %s".formatted(directory, FileProblem.reason(e)), e);
    }
  }

  public X509Certificate certificate() {
    return identity.certificate();
  }

  /** A new identity that this authority vouches for. */
  public WorkerIdentity issue(CertifiedParty party, Duration validity) {
    Instant now = Instant.now();
    return issue(party, now.minus(WorkerIdentity.CLOCK_DIFFERENCE), now.plus(validity));
  }

  WorkerIdentity issue(CertifiedParty party, Instant from, Instant until) {
    KeyPair keys = CertificateWriter.newKeys();
    X509Certificate certificate =
        CertificateWriter.sign(
            new CertificateWriter.Content(
                "Grapevine " + Greeting.party(party.number()),
                NAME,
                keys.getPublic(),
                from,
                until,
                false,
                party.names()),
            identity.key(),
            certificate().getPublicKey());
    return new WorkerIdentity(keys.getPrivate(), List.of(certificate, certificate()));
  }

  /** A certificate as text. */
  public static String pem(X509Certificate certificate) {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
              .encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("cannot encode a certificate", e);
    }
  }
}
