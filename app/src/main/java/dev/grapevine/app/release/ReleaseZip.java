package dev.grapevine.app.release;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lays a release out in a folder, as its receiver will have it, and packs that. The start-up caches
 * are made in the folder: they hold the order of the jars, their sizes and times, all of which
 * unpacking keeps.
 */
final class ReleaseZip implements AutoCloseable {

  /** Zip files know times to two seconds; this one survives every program that unpacks. */
  private static final FileTime TIME = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

  private final Path target;
  private final Path staging;
  private final Path root;

  private ReleaseZip(Path target, Path staging, Path root) {
    this.target = target;
    this.staging = staging;
    this.root = root;
  }

  /**
   * @param folder what everything in the zip lies in
   */
  static ReleaseZip create(Path target, String folder) throws IOException {
    Path staging = Files.createTempDirectory("grapevine-dist");
    return new ReleaseZip(target, staging, Files.createDirectory(staging.resolve(folder)));
  }

  /** Adds a file, or a folder with all that is in it. */
  void add(Path source, String name) throws IOException {
    List<Path> all;
    try (Stream<Path> inside = Files.walk(source)) {
      all = inside.filter(Files::isRegularFile).toList();
    }
    for (Path file : all) {
      Path copy = root.resolve(name).resolve(source.relativize(file).toString()).normalize();
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      Files.setLastModifiedTime(copy, TIME);
    }
  }

  /** Starts the release once: its launcher makes the caches on the first start. */
  void makeCaches() throws IOException {
    ProcessBuilder first =
        new ProcessBuilder(root.resolve("grapevine").toString(), "--version")
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    // The launcher must find the JDK that this process runs on.
    first.environment().put("JAVA_HOME", System.getProperty("java.home"));
    try {
      int code = first.start().waitFor();
      if (code != 0) {
        throw new IOException("the packed release does not start: exit code " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Packs what was added. */
  private void pack() throws IOException {
    Files.deleteIfExists(target);
    try (FileSystem zip =
            FileSystems.newFileSystem(
                URI.create("jar:" + target.toAbsolutePath().toUri()),
                Map.of("create", "true", "enablePosixFileAttributes", "true"));
        Stream<Path> inside = Files.walk(root)) {
      for (Path file : inside.filter(Files::isRegularFile).sorted().toList()) {
        if (file.toString().endsWith(".log")) {
          continue;
        }
        Path entry = zip.getPath(staging.relativize(file).toString());
        Files.createDirectories(entry.getParent());
        Files.copy(file, entry);
        Files.setLastModifiedTime(entry, Files.getLastModifiedTime(file));
        Files.setPosixFilePermissions(
            entry,
            PosixFilePermissions.fromString(
                Files.isExecutable(file) && file.endsWith("grapevine")
                    ? "rwxr-xr-x"
                    : "rw-r--r--"));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      pack();
    } finally {
      try (Stream<Path> inside = Files.walk(staging)) {
        for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
