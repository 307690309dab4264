package dev.grapevine.cluster;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Folders of side doors that stayed behind because their worker was killed while it joined: a
 * process that has no time to clear up. Their names say whose they were, so that whoever started it
 * can.
 */
public final class LeftBehind {

  private static final System.Logger LOG = System.getLogger(LeftBehind.class.getName());

  private LeftBehind() {}

  /** How the names of a process's folders begin. */
  static String prefix(long process) {
    return "grapevine-%d-".formatted(process);
  }

  /** Removes what a process of this machine has left behind; to be called once it has ended. */
  public static void sweep(long process) {
    sweep(Path.of(System.getProperty("java.io.tmpdir")), process);
  }

  static void sweep(Path temporary, long process) {
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(temporary, prefix(process) + "*")) {
      for (Path folder : folders) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          SideDoor.remove(folder);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.log(Level.DEBUG, "cannot look into {0}: {1}", temporary, e.getMessage());
    }
  }
}
