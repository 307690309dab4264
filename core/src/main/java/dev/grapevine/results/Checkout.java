package dev.grapevine.results;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What git has checked out somewhere.
 *
 * @param commit the commit's hash
 * @param dirty whether files that git knows differ from it
 */
public record Checkout(String commit, boolean dirty) {

  /** Of the folder, where it lies in a git working tree. */
  public static Optional<Checkout> of(Path folder) {
    Path place = folder.toAbsolutePath();
    return git(place, List.of("rev-parse", "HEAD"))
        .map(commit ->
            new Checkout(
                commit,
                git(place, List.of("status", "--porcelain", "--untracked-files=no"))
                    .map(changes -> !changes.isEmpty())
                    .orElse(false)));
  }

  /**
   * Of the Grapevine that is running, where it was built in its own working tree. Another
   * repository that happens to lie around the jars says nothing.
   */
  static Optional<Checkout> ofGrapevine() {
    try {
      CodeSource source = Checkout.class.getProtectionDomain().getCodeSource();
      Path code = source == null ? Path.of("") : Path.of(source.getLocation().toURI());
      Path folder = Files.isDirectory(code) ? code : code.toAbsolutePath().getParent();
      return Optional.ofNullable(folder)
          .flatMap(place -> git(place, List.of("rev-parse", "--show-toplevel")))
          .map(Path::of)
          .filter(top -> Files.exists(top.resolve("core/src/main/java/dev/grapevine")))
          .flatMap(Checkout::of);
    } catch (URISyntaxException notAFile) {
      return Optional.empty();
    }
  }

  private static Optional<String> git(Path folder, List<String> arguments) {
    try {
      Process git =
          new ProcessBuilder(
                  Stream.concat(Stream.of("git", "-C", folder.toString()), arguments.stream())
                      .toList())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer =
          new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0
          ? Optional.of(answer)
          : Optional.empty();
    } catch (IOException noGit) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
