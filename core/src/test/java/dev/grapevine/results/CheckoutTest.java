package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckoutTest {

  @TempDir private Path folder;

  private boolean git(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=x", "-c", "user.email=x@example.org"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("git.out").toFile())
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void tellsTheCommitAndWhetherFilesDiffer() throws Exception {
    assertThat(Checkout.of(folder)).isEmpty();
    assumeThat(git("init", "-q")).isTrue();
    Files.writeString(folder.resolve("a.txt"), "a");
    git("add", "a.txt");
    assumeThat(git("commit", "-qm", "a")).isTrue();

    Checkout clean = Checkout.of(folder).orElseThrow();
    assertThat(clean.commit()).matches("[0-9a-f]{40}");
    assertThat(clean.dirty()).isFalse();
    Files.writeString(folder.resolve("a.txt"), "b");
    assertThat(Checkout.of(folder).orElseThrow().dirty()).isTrue();
  }

  @Test
  void aForeignRepositoryIsNotTakenForGrapevines() {
    // Where this is built from a source archive, nothing is known; else it is a full hash.
    assertThat(Checkout.ofGrapevine().map(Checkout::commit).orElse("0".repeat(40)))
        .matches("[0-9a-f]{40}");
  }
}
