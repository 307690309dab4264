package dev.grapevine.experiment;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.settings.SectionValues;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.stream.Stream;

/**
 * The files that an experiment names, each with the SHA-256 of what it holds now.
 *
 * @param sources own code: {@code .java} file to hash
 * @param data any other file or folder to hash; one that is not there is left out
 */
public record NamedFiles(SequencedMap<Path, String> sources, SequencedMap<Path, String> data) {

  /** Beyond this, a folder is told by the names and sizes of its files alone. */
  private static final long MOST_BYTES_OF_FOLDER = 256L << 20;

  static NamedFiles of(Experiment experiment) {
    SequencedSet<Path> named = new LinkedHashSet<>();
    experiment.sections().forEach(section -> add(section, named));
    for (NodeOverride override : experiment.overrides()) {
      for (int node = 0; node < experiment.nodes().count(); node++) {
        if (override.nodes().contains(node)) {
          experiment.forNode(node).sections().forEach(section -> add(section, named));
          break;
        }
      }
    }
    SequencedMap<Path, String> sources = new LinkedHashMap<>();
    SequencedMap<Path, String> data = new LinkedHashMap<>();
    for (Path path : named) {
      Path file = experiment.directory().resolve(path).toAbsolutePath().normalize();
      if (Files.exists(file)) {
        boolean isSource = file.toString().endsWith(".java");
        (isSource ? sources : data).put(file, hash(file));
      }
    }
    return new NamedFiles(sources, data);
  }

  private static void add(SectionValues section, Collection<Path> named) {
    section.files().forEach(named::add);
  }

  /** One line for all hashes; empty when no file is named. */
  public String fingerprint() {
    StringBuilder text = new StringBuilder();
    sources.forEach((file, hash) -> text.append(file.getFileName()).append(hash).append('\n'));
    data.forEach((file, hash) -> text.append(file.getFileName()).append(hash).append('\n'));
    return text.toString();
  }

  private static String hash(Path path) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      if (Files.isDirectory(path)) {
        addFolder(path, digest);
      } else {
        addFile(path, digest);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UserException("%s cannot be read: %s".formatted(path, FileProblem.reason(e)), e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static void addFolder(Path folder, MessageDigest digest) throws IOException {
    List<Path> files;
    try (Stream<Path> inside = Files.walk(folder)) {
      files = inside.filter(Files::isRegularFile).sorted().toList();
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
      String line = folder.relativize(file) + " " + Files.size(file) + "\n";
      digest.update(line.getBytes(StandardCharsets.UTF_8));
    }
    if (bytes <= MOST_BYTES_OF_FOLDER) {
      for (Path file : files) {
        addFile(file, digest);
      }
    }
  }

  private static void addFile(Path file, MessageDigest digest) throws IOException {
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
