package dev.grapevine.security;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the members of one run know and nobody else: {@value #BYTES} random bytes. It comes over
 * standard input or from a file that its owner alone can read, never over a command line or the
 * environment, which others on the machine may see. It is never sent: {@link #proof} shows that one
 * knows it.
 */
public final class RunSecret {

  /** Length of a secret. */
  public static final int BYTES = 32;

  /** Length of a proof. */
  public static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final String FORM = "a run secret is %d hexadecimal digits".formatted(2 * BYTES);

  private final SecretKeySpec key;
  private final String text;

  private RunSecret(byte[] bytes) {
    key = new SecretKeySpec(bytes, ALGORITHM);
    text = HexFormat.of().formatHex(bytes);
  }

  /** A new secret. */
  public static RunSecret random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new RunSecret(bytes);
  }

  /**
   * Reads one line and nothing after it, as from standard input.
   *
   * @throws UserException when it is no secret
   */
  public static RunSecret read(InputStream in) {
    StringBuilder line = new StringBuilder();
    try {
      int next = in.read();
      while (next >= 0 && next != '\n' && line.length() <= 2 * BYTES + 1) {
        line.append((char) next);
        next = in.read();
      }
    } catch (IOException e) {
      throw new UserException("cannot read the run secret: " + FileProblem.reason(e), e);
    }
    if (line.isEmpty()) {
      throw new UserException(
          "no run secret came over standard input; " + FORM + " and the end of the line");
    }
    return parse(line.toString(), "standard input");
  }

  /**
   * Reads a file.
   *
   * @throws UserException when it is not there, is no secret, or others than its owner can read it
   */
  public static RunSecret read(Path file) {
    try (InputStream in = PrivateFile.open(file, "run secret")) {
      byte[] bytes = in.readNBytes(2 * BYTES + 3);
      return parse(new String(bytes, StandardCharsets.ISO_8859_1), file.toString());
    } catch (IOException e) {
      throw new UserException("cannot read %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  /**
   * The secret in a file that all members of a run can see; whoever comes first makes it. For
   * workers that meet in a shared directory.
   */
  public static RunSecret shared(Path file) {
    if (Files.exists(file)) {
      return read(file);
    }
    RunSecret own = random();
    Path draft =
        file.resolveSibling(
            file.getFileName() + "." + HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
    try {
      Path folder = draft.toAbsolutePath().getParent();
      if (folder != null) {
        PrivateFile.createDirectory(folder);
      }
      own.write(draft);
      try {
        // A link is made whole or not at all, also on a shared file system; a copy is not.
        Files.createLink(file, draft);
        return own;
      } catch (FileAlreadyExistsException another) {
        return read(file);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new UserException("cannot write %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  private static RunSecret parse(String line, String place) {
    String digits = line.strip();
    if (!digits.matches("[0-9a-fA-F]{%d}".formatted(2 * BYTES))) {
      // What it is instead is not said: it may be a mistyped secret.
      throw new UserException("%s holds no run secret: %s".formatted(place, FORM));
    }
    return new RunSecret(HexFormat.of().parseHex(digits));
  }

  /** Writes it to a new file that its owner alone can read. */
  public void write(Path file) {
    try {
      PrivateFile.write(file, line());
    } catch (IOException e) {
      throw new UserException("cannot write %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  /** The line to write to the standard input of a worker, with its end. */
  public byte[] line() {
    return (text + '\n').getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Shows that one knows the secret: HMAC-SHA256 over a role and some parts, each with its length,
   * so that no two lists of parts look alike.
   */
  public byte[] proof(String role, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      update(mac, role.getBytes(StandardCharsets.UTF_8));
      for (byte[] part : parts) {
        update(mac, part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + ALGORITHM, e);
    }
  }

  private static void update(Mac mac, byte[] part) {
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    mac.update(part);
  }

  /** Whether a proof is right; takes the same time wherever it is wrong. */
  public boolean verifies(byte[] proof, String role, byte[]... parts) {
    return MessageDigest.isEqual(proof, proof(role, parts));
  }

  /** Does not tell. */
  @Override
  public String toString() {
    return "RunSecret";
  }
}
