package dev.grapevine.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.topology.NodeSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SignatureException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {

  private static final CertifiedParty WORKER =
      new CertifiedParty(3, Optional.of(NodeSet.parse("12-15,40", 100)));

  @TempDir private Path folder;

  @Test
  void aSelfSignedCertificateIsReadByThePlatform() throws Exception {
    WorkerIdentity identity = WorkerIdentity.selfSigned("worker 7 – Zürich");
    X509Certificate read =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(identity.certificate().getEncoded()));

    read.verify(read.getPublicKey());
    read.checkValidity();
    assertThat(read.getVersion()).isEqualTo(3);
    assertThat(read.getSigAlgName()).isEqualTo("SHA256withECDSA");
    assertThat(read.getSubjectX500Principal().getName()).isEqualTo("CN=worker 7 – Zürich");
    assertThat(read.getSerialNumber().signum()).isPositive();
    assertThat(read.getBasicConstraints()).isEqualTo(-1);
    assertThat(read.getKeyUsage()).startsWith(true, false).hasSize(9);
    assertThat(read.getExtendedKeyUsage())
        .containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(identity.authority()).isEmpty();
    assertThat(identity.party()).isEmpty();
  }

  @Test
  void timesBeyond2049AreWrittenLong() {
    Instant until = Instant.parse("2050-01-01T00:00:00Z");
    WorkerIdentity identity =
        WorkerIdentity.selfSigned("x", Instant.parse("2049-12-31T23:59:59Z"), until);

    assertThat(identity.certificate().getNotAfter().toInstant()).isEqualTo(until);
    assertThat(identity.certificate().getNotBefore().toInstant())
        .isEqualTo(until.minus(1, ChronoUnit.SECONDS));
  }

  /** The platform's own path validation, which is stricter than ours. */
  @Test
  void anAuthorityVouchesForWorkersAndTheirNodes() throws Exception {
    Authority authority = Authority.create(Duration.ofDays(10));
    WorkerIdentity worker = authority.issue(WORKER, Duration.ofDays(5));

    PKIXParameters parameters =
        new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
    parameters.setRevocationEnabled(false);
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(worker.certificate())),
            parameters);
    assertThat(authority.certificate().getBasicConstraints()).isZero();
    assertThat(worker.party()).contains(WORKER);
    assertThat(worker.authority()).contains(authority.certificate());
    assertThat(WORKER).hasToString("worker 3 with nodes 12-15,40");
  }

  @Test
  void theLauncherOrWorkerZeroCoordinates() {
    Authority authority = Authority.create(Duration.ofDays(10));
    Trust trust = Trust.authority(authority.certificate());
    assertThatCode(
            () -> {
              trust.check(certificate(authority, Greeting.COORDINATOR), Greeting.COORDINATOR);
              trust.check(certificate(authority, 0), Greeting.COORDINATOR);
            })
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> trust.check(certificate(authority, 1), Greeting.COORDINATOR))
        .hasMessage("its certificate is of worker 1, not of launcher");
    assertThatThrownBy(() -> trust.check(certificate(authority, Greeting.COORDINATOR), 0))
        .hasMessage("its certificate is of launcher, not of worker 0");
  }

  private static X509Certificate certificate(Authority authority, int party) {
    return authority
        .issue(new CertifiedParty(party, Optional.empty()), Duration.ofDays(1))
        .certificate();
  }

  @Test
  void anotherAuthorityDoesNot() {
    Authority authority = Authority.create(Duration.ofDays(10));
    X509Certificate worker =
        Authority.create(Duration.ofDays(10)).issue(WORKER, Duration.ofDays(5)).certificate();

    assertThatThrownBy(() -> worker.verify(authority.certificate().getPublicKey()))
        .isInstanceOf(SignatureException.class);
    assertThatThrownBy(() -> Trust.authority(authority.certificate()).check(worker, 3))
        .hasMessageContaining("is not of the authority");
  }

  @Test
  void identitiesAreKeptInFilesOfTheirOwnerAlone() throws Exception {
    Path place = folder.resolve("authority");
    Authority.create(Duration.ofDays(10)).write(place);
    WorkerIdentity worker = Authority.load(place).issue(WORKER, Duration.ofDays(5));
    Path file = folder.resolve("worker-3.p12");
    worker.write(file);

    WorkerIdentity loaded = WorkerIdentity.load(file);
    assertThat(loaded.certificate()).isEqualTo(worker.certificate());
    assertThat(loaded.authority()).contains(Authority.load(place).certificate());
    assertThat(Files.readString(place.resolve(Authority.CERTIFICATE_FILE)))
        .startsWith("-----BEGIN CERTIFICATE-----\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> WorkerIdentity.load(file))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("chmod 600");
    assertThatThrownBy(() -> Authority.create(Duration.ofDays(1)).write(place))
        .hasMessageContaining("holds an authority already");
    assertThatThrownBy(() -> Authority.load(folder)).hasMessageContaining("there is no authority");
  }

  @Test
  void whatIsNoIdentityIsRefused() throws Exception {
    Path file = folder.resolve("garbage.p12");
    PrivateFile.write(file, new byte[] {1, 2, 3});

    assertThatThrownBy(() -> WorkerIdentity.load(file))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("cannot read the identity in");
    assertThatThrownBy(() -> WorkerIdentity.certificate(new byte[] {1, 2, 3}))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void opensslReadsTheCertificates() throws Exception {
    Authority authority = Authority.create(Duration.ofDays(10));
    Path trusted = folder.resolve("authority.pem");
    Path worker = folder.resolve("worker.pem");
    Files.writeString(trusted, Authority.pem(authority.certificate()));
    Files.writeString(
        worker, Authority.pem(authority.issue(WORKER, Duration.ofDays(5)).certificate()));

    assertThat(openssl("x509", "-in", worker.toString(), "-noout", "-text"))
        .contains(
            "ecdsa-with-SHA256", "URI:urn:grapevine:nodes:12-15,40", "CA:FALSE", "prime256v1");
    assertThat(openssl("verify", "-x509_strict", "-CAfile", trusted.toString(), worker.toString()))
        .contains("OK");
  }

  private static String openssl(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("openssl is not installed");
      throw e;
    }
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
