package dev.grapevine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is written over what was there; what is left of that goes at the end. */
final class Overwriting implements NodeFile.Sink<IOException>, AutoCloseable {

  private final FileChannel out;
  private long size;

  Overwriting(Path file) throws IOException {
    out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  @Override
  public void take(ByteBuffer piece) throws IOException {
    size += piece.remaining();
    while (piece.hasRemaining()) {
      out.write(piece);
    }
  }

  @Override
  public void close() throws IOException {
    try (out) {
      if (out.size() > size) {
        out.truncate(size);
      }
    }
  }
}
