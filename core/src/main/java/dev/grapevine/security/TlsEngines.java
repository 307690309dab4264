package dev.grapevine.security;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS 1.3 with one suite of ciphers, both ends with certificates; nothing is negotiable. */
final class TlsEngines {

  private static final String PROTOCOL = "TLSv1.3";
  private static final String CIPHERS = "TLS_AES_128_GCM_SHA256";

  private final SSLContext context;

  TlsEngines(WorkerIdentity identity, Trust trust) {
    try {
      context = SSLContext.getInstance(PROTOCOL);
      context.init(
          new KeyManager[] {new OneKey(identity)}, new TrustManager[] {new Judge(trust)}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + PROTOCOL, e);
    }
  }

  SSLEngine engine(boolean isClient) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(isClient);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {PROTOCOL});
    parameters.setCipherSuites(new String[] {CIPHERS});
    parameters.setNeedClientAuth(true);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** The identity of this worker, whoever asks. */
  private static final class OneKey extends X509ExtendedKeyManager {

    private final WorkerIdentity identity;

    OneKey(WorkerIdentity identity) {
      this.identity = identity;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return WorkerIdentity.ALIAS;
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
      return WorkerIdentity.ALIAS;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return WorkerIdentity.ALIAS;
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return WorkerIdentity.ALIAS;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {WorkerIdentity.ALIAS};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[] {WorkerIdentity.ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {identity.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return identity.key();
    }
  }

  /** Asks the run's trust; names of hosts mean nothing here. */
  private static final class Judge extends X509ExtendedTrustManager {

    private final Trust trust;

    Judge(Trust trust) {
      this.trust = trust;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      if (chain == null || chain.length == 0) {
        throw new CertificateException("it shows no certificate");
      }
      trust.check(chain[0]);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
