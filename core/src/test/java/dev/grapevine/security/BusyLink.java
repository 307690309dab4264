package dev.grapevine.security;

import dev.grapevine.security.Greeting.Purpose;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;

/** The program that {@link KeyUpdateTest} runs: 12 MB each way over one encrypted connection. */
final class BusyLink {

  private static final String KEY = "jdk.tls.keyLimits";
  private static final String LIMIT = "AES/GCM/NoPadding KeyUpdate 2^20";
  private static final int BLOCK = 100_000;
  private static final int BLOCKS = 120;

  private BusyLink() {}

  static Path limits() throws IOException {
    Path file = Files.createTempFile("limits", ".security");
    file.toFile().deleteOnExit();
    return Files.writeString(file, KEY + "=" + LIMIT + "\n");
  }

  public static void main(String[] arguments) throws Exception {
    if (!LIMIT.equals(Security.getProperty(KEY))) {
      throw new IllegalStateException("the limit is not set");
    }
    RunSecret secret = RunSecret.random();
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread acceptor =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  Arrival arrival = security(secret).receive(server.accept());
                  arrival.welcome();
                  talk(arrival.channel(), 1);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      talk(
          security(secret)
              .open(
                  SocketChannel.open(server.getLocalAddress()),
                  new Greeting(Purpose.WORKERS, 0, 1)),
          0);
      acceptor.join();
    }
    System.out.println("all arrived");
  }

  private static LinkSecurity security(RunSecret secret) {
    return LinkSecurity.of(secret, WorkerIdentity.selfSigned("x"), TlsPolicy.ALWAYS, false);
  }

  /** Writes and reads at the same time; blocks name their writer and their number. */
  private static void talk(LinkChannel channel, int self) throws IOException {
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = 0; i < BLOCKS; i++) {
                  channel.writeFully(
                      ByteBuffer.allocate(BLOCK).putInt(0, self).putInt(BLOCK - 4, i));
                }
                channel.shutdownOutput();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (int i = 0; i < BLOCKS; i++) {
      if (!channel.readFully(block.clear())
          || block.getInt(0) != 1 - self
          || block.getInt(BLOCK - 4) != i) {
        throw new IOException("block %d is wrong at end %d".formatted(i, self));
      }
    }
    if (channel.read(block.clear()) >= 0) {
      throw new IOException("more than was sent");
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
