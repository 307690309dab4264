package dev.grapevine.data.format;

import dev.grapevine.UserException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Compares what was read with a published digest. */
public final class Checksum {

  private Checksum() {}

  public static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("the JDK lacks " + algorithm, missing);
    }
  }

  /** Throws unless the content has the MD5 digest. */
  public static void requireMd5(byte[] content, String expected, String name) {
    MessageDigest digest = digest("MD5");
    digest.update(content);
    requireMd5(digest, expected, name);
  }

  /** Throws unless what was fed to the digest is what was published. */
  public static void requireMd5(MessageDigest digest, String expected, String name) {
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(expected)) {
      throw new UserException(
          "%s: wrong checksum: md5=%s, expected=%s; the file is damaged or another one: fetch or copy it again"
              .formatted(name, found, expected));
    }
  }
}
