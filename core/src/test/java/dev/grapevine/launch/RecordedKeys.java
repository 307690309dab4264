package dev.grapevine.launch;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;

/** Notes with which key and from which counter on masks are made, while it is open. */
final class RecordedKeys implements AutoCloseable {

  private static final String MASKS = "AES/CTR/NoPadding";
  private static final Set<String> USED = ConcurrentHashMap.newKeySet();

  private final Provider provider;

  RecordedKeys() {
    provider = new Recording();
    Security.insertProviderAt(provider, 1);
  }

  /** Those that were used since it was last asked. */
  Set<String> taken() {
    Set<String> taken = Set.copyOf(USED);
    USED.removeAll(taken);
    return taken;
  }

  @Override
  public void close() {
    Security.removeProvider(provider.getName());
    USED.clear();
  }

  private static final class Recording extends Provider {
    Recording() {
      super("Recording", "1", "notes the keys of masks");
      put("Cipher." + MASKS, Noting.class.getName());
    }
  }

  /** The platform's cipher, after a look at its key. */
  public static final class Noting extends CipherSpi {

    private final Cipher real;

    public Noting() throws GeneralSecurityException {
      real = Cipher.getInstance(MASKS, "SunJCE");
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameterSpec spec, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
      HexFormat hex = HexFormat.of();
      USED.add(
          hex.formatHex(key.getEncoded())
              + " from "
              + hex.formatHex(((IvParameterSpec) spec).getIV()));
      real.init(mode, key, spec, random);
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) {
      throw new UnsupportedOperationException("masks say where they begin");
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameters params, SecureRandom random) {
      throw new UnsupportedOperationException("masks say where they begin");
    }

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
      throw new NoSuchAlgorithmException(mode);
    }

    @Override
    protected void engineSetPadding(String padding) {
      throw new UnsupportedOperationException(padding);
    }

    @Override
    protected int engineGetBlockSize() {
      return real.getBlockSize();
    }

    @Override
    protected int engineGetOutputSize(int length) {
      return real.getOutputSize(length);
    }

    @Override
    protected byte[] engineGetIV() {
      return real.getIV();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
      return real.getParameters();
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
      return real.update(input, offset, length);
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int at)
        throws ShortBufferException {
      return real.update(input, offset, length, output, at);
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
        throws IllegalBlockSizeException, BadPaddingException {
      return input == null ? real.doFinal() : real.doFinal(input, offset, length);
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int at)
        throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
      return real.doFinal(input, offset, length, output, at);
    }
  }
}
