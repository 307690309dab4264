package dev.grapevine.security;

import dev.grapevine.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that their owner alone can read, where the file system knows owners. */
final class PrivateFile {

  private static final Set<PosixFilePermission> OWNER =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private PrivateFile() {}

  private static boolean knowsOwners(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Opens a file, unless others can read or change it. */
  static InputStream open(Path file, String what) throws IOException {
    if (knowsOwners(file)) {
      Set<PosixFilePermission> others = EnumSet.copyOf(OWNER);
      others.addAll(Files.getPosixFilePermissions(file));
      others.removeAll(OWNER);
      others.remove(PosixFilePermission.OWNER_EXECUTE);
      if (!others.isEmpty()) {
        throw new UserException(
            "others can get at %s, the %s (%s); make it yours alone with: chmod 600 %s"
                .formatted(
                    file,
                    what,
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
                    file));
      }
    }
    return Files.newInputStream(file);
  }

  /** Makes a directory, with those above it, that nobody else can look into. */
  static void createDirectory(Path directory) throws IOException {
    FileAttribute<?>[] attributes =
        knowsOwners(directory)
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
            }
            : new FileAttribute<?>[0];
    Files.createDirectories(directory, attributes);
  }

  /** Writes a new file, which nobody else can read at any moment. */
  static void write(Path file, byte[] bytes) throws IOException {
    FileAttribute<?>[] attributes =
        knowsOwners(file)
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
            : new FileAttribute<?>[0];
    try (OutputStream out =
        Channels.newOutputStream(
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                attributes))) {
      out.write(bytes);
    }
  }
}
