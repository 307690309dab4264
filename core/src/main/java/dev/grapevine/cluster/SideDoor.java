package dev.grapevine.cluster;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A second way in for processes of the same machine: a socket that is a file, which takes half the
 * processor time of loopback. It lies in a folder that only this user may enter, and whoever comes
 * proves who it is as at any door. Where there can be none, all come in by the front.
 *
 * @param path where it is
 */
record SideDoor(ServerSocketChannel server, Path path) implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(SideDoor.class.getName());

  private static final String NAME = "link";

  /** Systems know addresses of 104 bytes and more, the last of which is a zero. */
  private static final int LONGEST = 100;

  /** Opens one, if this machine has such doors. */
  static Optional<SideDoor> open(int backlog) {
    Path folder = null;
    try {
      // Mode 0700: nobody else gets as far as the socket.
      folder = Files.createTempDirectory(LeftBehind.prefix(ProcessHandle.current().pid()));
      Path path = folder.resolve(NAME);
      if (path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST) {
        throw new IOException("%s is longer than %d bytes".formatted(path, LONGEST));
      }
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(path), backlog);
      return Optional.of(new SideDoor(server, path));
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, "no socket of the file system here: {0}", e.getMessage());
      remove(folder);
      return Optional.empty();
    }
  }

  /** Removes the folder of a door, if nothing else is in it. */
  static void remove(@Nullable Path folder) {
    if (folder != null) {
      try {
        Files.deleteIfExists(folder.resolve(NAME));
        Files.deleteIfExists(folder);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "cannot remove {0}: {1}", folder, e.getMessage());
      }
    }
  }

  /** Lets nobody in any more; those who are in stay. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // Nobody gets in either way.
      LOG.log(Level.DEBUG, "cannot close {0}: {1}", path, e.getMessage());
    }
    remove(path.getParent());
  }
}
