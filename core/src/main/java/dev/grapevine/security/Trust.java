package dev.grapevine.security;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Map;

/** Whose certificates are believed. */
public interface Trust {

  /**
   * Checks a certificate whose holder has shown to have its key.
   *
   * @throws CertificateException when it is not believed, with the reason in words
   */
  void check(X509Certificate certificate) throws CertificateException;

  /**
   * Checks that a certificate is the one of a party.
   *
   * @param party a worker's number, or {@link Greeting#COORDINATOR}
   */
  void check(X509Certificate certificate, int party) throws CertificateException;

  /**
   * Anybody's, as long as it has not expired: for joining, when only the run's secret tells who
   * belongs to the run.
   */
  static Trust anybody() {
    return new Trust() {
      @Override
      public void check(X509Certificate certificate) throws CertificateException {
        requireValid(certificate);
      }

      @Override
      public void check(X509Certificate certificate, int party) throws CertificateException {
        requireValid(certificate);
      }
    };
  }

  /** Exactly those of a roster, each for its party. */
  static Trust pinned(Map<Integer, X509Certificate> roster) {
    Map<Integer, X509Certificate> known = Map.copyOf(roster);
    return new Trust() {
      @Override
      public void check(X509Certificate certificate) throws CertificateException {
        requireValid(certificate);
        require(
            known.containsValue(certificate), "its certificate is not in the roster of this run");
      }

      @Override
      public void check(X509Certificate certificate, int party) throws CertificateException {
        requireValid(certificate);
        require(
            certificate.equals(known.get(party)),
            "its certificate is not the one that the roster has for " + Greeting.party(party));
      }
    };
  }

  /** Those that an authority has signed, each for the party that it names. */
  static Trust authority(X509Certificate authority) {
    return new Trust() {
      @Override
      public void check(X509Certificate certificate) throws CertificateException {
        requireValid(authority);
        requireValid(certificate);
        try {
          certificate.verify(authority.getPublicKey());
        } catch (GeneralSecurityException e) {
          throw new CertificateException(
              "its certificate is not of the authority \"%s\" that this run trusts"
                  .formatted(authority.getSubjectX500Principal().getName()),
              e);
        }
        require(
            CertifiedParty.of(certificate).isPresent(),
            "its certificate names neither a worker nor a launcher");
      }

      @Override
      public void check(X509Certificate certificate, int party) throws CertificateException {
        check(certificate);
        CertifiedParty named = CertifiedParty.of(certificate).orElseThrow();
        // Without a launcher worker 0 coordinates, under its own name.
        require(
            named.number() == party || (party == Greeting.COORDINATOR && named.number() == 0),
            "its certificate is of %s, not of %s"
                .formatted(Greeting.party(named.number()), Greeting.party(party)));
      }
    };
  }

  /** Those that this and another believe. */
  default Trust and(Trust other) {
    Trust first = this;
    return new Trust() {
      @Override
      public void check(X509Certificate certificate) throws CertificateException {
        first.check(certificate);
        other.check(certificate);
      }

      @Override
      public void check(X509Certificate certificate, int party) throws CertificateException {
        first.check(certificate, party);
        other.check(certificate, party);
      }
    };
  }

  private static void require(boolean holds, String otherwise) throws CertificateException {
    if (!holds) {
      throw new CertificateException(otherwise);
    }
  }

  private static void requireValid(X509Certificate certificate) throws CertificateException {
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new CertificateException(
          "its certificate expired on " + certificate.getNotAfter().toInstant(), e);
    } catch (CertificateNotYetValidException e) {
      throw new CertificateException(
          "its certificate is valid only from %s on; compare the clocks of the machines"
              .formatted(certificate.getNotBefore().toInstant()),
          e);
    }
  }
}
