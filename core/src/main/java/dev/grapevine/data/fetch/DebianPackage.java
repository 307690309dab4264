package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A package of Debian and its relatives: its installed folder, or, without installing it, the one
 * that apt can download.
 *
 * @param name the package's name
 * @param folder where it installs its files
 */
public record DebianPackage(String name, Path folder) {

  /** A folder with the package's files; {@code temporary} may be used to unpack them. */
  public Path files(Path temporary, Progress progress) throws IOException {
    if (Files.isDirectory(folder)) {
      return folder;
    }
    progress.update("asking apt for " + name, 0, -1);
    if (OtherProgram.output(List.of("apt-get", "download", name), temporary).isPresent()) {
      Optional<Path> archive;
      try (Stream<Path> files = Files.list(temporary)) {
        archive = files.filter(file -> file.toString().endsWith(".deb")).findFirst();
      }
      Path unpacked = temporary.resolve("unpacked").resolve(folder.getRoot().relativize(folder));
      if (archive.isPresent()
          && OtherProgram.output(
                  List.of(
                      "dpkg-deb",
                      "-x",
                      archive.get().toString(),
                      temporary.resolve("unpacked").toString()))
              .isPresent()
          && Files.isDirectory(unpacked)) {
        return unpacked;
      }
    }
    throw new UserException(
        "cannot get the Debian package %s: it is not installed and apt cannot download it; install it, or copy the official files into a folder and name it (folder = \"...\")"
            .formatted(name));
  }
}
