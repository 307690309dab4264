package dev.grapevine.checkpoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Fingerprints of files and texts. */
final class Sha256 {

  private Sha256() {}

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  static String of(ByteBuffer content) {
    MessageDigest digest = digest();
    digest.update(content.duplicate());
    return HexFormat.of().formatHex(digest.digest());
  }

  static String of(String text) {
    return of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }
}
