package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Regular files of a tar archive, one after the other (POSIX ustar, as npm packs are). */
final class TarReader {

  private static final int BLOCK = 512;

  /** Takes one file; it need not read its content to the end. */
  @FunctionalInterface
  interface Sink {
    void file(String path, long size, InputStream content) throws IOException;
  }

  private TarReader() {}

  static void read(InputStream archive, String name, Sink sink) throws IOException {
    byte[] header = new byte[BLOCK];
    while (true) {
      int length = archive.readNBytes(header, 0, BLOCK);
      if (length == 0 || isZero(header)) {
        return;
      }
      if (length < BLOCK) {
        throw damaged(name, "it ends within a header");
      }
      long size = octal(header, 124, 12, name);
      byte type = header[156];
      Entry content = new Entry(archive, size);
      if (type == '0' || type == 0) {
        sink.file(path(header), size, content);
      }
      content.drain(name);
      archive.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    }
  }

  private static String path(byte[] header) {
    String prefix = text(header, 345, 155);
    String path = text(header, 0, 100);
    return prefix.isEmpty() ? path : prefix + "/" + path;
  }

  private static String text(byte[] header, int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int from, int length, String name) {
    String digits = text(header, from, length).trim();
    try {
      long value = Long.parseLong(digits, 8);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException notOctal) {
      // falls through to the message below
    }
    throw damaged(name, "a file's size is not a number: size=\"" + digits + "\"");
  }

  private static boolean isZero(byte[] block) {
    for (byte value : block) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  private static UserException damaged(String name, String what) {
    return new UserException("%s: damaged archive: %s; fetch it again".formatted(name, what));
  }

  /** The bytes of one file; closing it leaves the archive open. */
  private static final class Entry extends FilterInputStream {

    private long left;

    Entry(InputStream archive, long size) {
      super(archive);
      left = size;
    }

    @Override
    public int read() throws IOException {
      if (left <= 0) {
        return -1;
      }
      int value = super.read();
      left -= value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left <= 0) {
        return -1;
      }
      int count = super.read(bytes, offset, (int) Math.min(length, left));
      left -= Math.max(0, count);
      return count;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = super.skip(Math.min(count, left));
      left -= skipped;
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    @Override
    public void close() {}

    void drain(String name) throws IOException {
      byte[] buffer = new byte[1 << 13];
      while (left > 0) {
        if (read(buffer, 0, buffer.length) < 0) {
          throw damaged(name, "it ends within a file");
        }
      }
    }
  }
}
