package dev.grapevine.checkpoint;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What a file was when it was written.
 *
 * @param crc32c its checksum, which takes a fortieth of the time of the other
 * @param sha256 its hash, where there was time for it
 */
record Written(long bytes, long crc32c, Optional<String> sha256) {

  /** What is about to be written, whose checksum is known. */
  static Written of(ByteBuffer content, long crc32c, boolean isHashed) {
    return new Written(
        content.remaining(), crc32c, isHashed ? Optional.of(Sha256.of(content)) : Optional.empty());
  }

  /**
   * Whether this is what was written.
   *
   * @param byHash whether the hash is to say so too, where there is one
   */
  boolean fits(byte[] content, boolean byHash) {
    CRC32C sum = new CRC32C();
    sum.update(content);
    Written found = of(ByteBuffer.wrap(content), sum.getValue(), byHash && sha256.isPresent());
    return found.bytes == bytes
        && found.crc32c == crc32c
        && (!byHash || found.sha256.equals(sha256));
  }

  String checksum() {
    return HexFormat.of().toHexDigits((int) crc32c);
  }
}
