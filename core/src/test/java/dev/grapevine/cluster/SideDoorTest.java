package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.security.Greeting;
import dev.grapevine.security.LinkChannel;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SideDoorTest {

  private static final Greeting GREETING = new Greeting(Greeting.Purpose.WORKERS, 1, 0);

  private final LinkSecurity security = LinkSecurity.loopback(RunSecret.random());
  private final BlockingQueue<LinkChannel> guests = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> strangers = new LinkedBlockingQueue<>();

  private Door door() {
    return new Door(
        security,
        InetAddress.getLoopbackAddress(),
        0,
        arrival -> {
          arrival.welcome();
          guests.add(arrival.channel());
        },
        strangers::add);
  }

  private static SocketChannel connect(String path) throws IOException {
    return LinkSockets.connect(UnixDomainSocketAddress.of(path));
  }

  @Test
  void whoKnowsTheSecretComesInAndOthersDoNot() throws Exception {
    try (Door door = door()) {
      String path = door.openSide();
      try (SocketChannel stranger = connect(path)) {
        stranger.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".repeat(9).getBytes()));
        assertThat(strangers.take()).contains("a connection was turned away");
      }
      try (LinkChannel friend = security.open(connect(path), GREETING)) {
        friend.writeFully(ByteBuffer.wrap(new byte[] {7}));
        ByteBuffer read = ByteBuffer.allocate(1);
        try (LinkChannel guest = guests.take()) {
          assertThat(guest.readFully(read)).isTrue();
        }
        assertThat(read.get(0)).isEqualTo((byte) 7);
      }
    }
  }

  @Test
  void itLiesWhereOnlyTheUserMayGoAndIsGoneWithTheDoor() throws Exception {
    Path path;
    try (Door door = door()) {
      path = Path.of(door.openSide());
      assertThat(Files.getPosixFilePermissions(path.getParent()))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(path).doesNotExist();
    assertThat(path.getParent()).doesNotExist();
  }

  @Test
  void whatAKilledProcessHasLeftBehindIsSwept(@TempDir Path temporary) throws IOException {
    Path withDoor = Files.createDirectory(temporary.resolve("grapevine-4711-1"));
    Files.createFile(withDoor.resolve("link"));
    Path empty = Files.createDirectory(temporary.resolve("grapevine-4711-2"));
    Path anothers = Files.createDirectory(temporary.resolve("grapevine-47110-3"));

    LeftBehind.sweep(temporary, 4711);

    assertThat(withDoor).doesNotExist();
    assertThat(empty).doesNotExist();
    assertThat(anothers).exists();
    LeftBehind.sweep(temporary.resolve("nowhere"), 4711);
  }

  @Test
  void itsFolderSaysWhoseItIs() {
    try (Door door = door()) {
      assertThat(Path.of(door.openSide()).getParent().getFileName().toString())
          .startsWith(LeftBehind.prefix(ProcessHandle.current().pid()));
    }
  }
}
