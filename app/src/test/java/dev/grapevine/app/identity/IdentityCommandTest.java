package dev.grapevine.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityCommandTest {

  @TempDir private Path folder;

  @Test
  void anAuthorityVouchesForAWorkerAndItsNodes() throws Exception {
    Path authority = folder.resolve("authority");
    Path worker = folder.resolve("worker.p12");

    assertThat(CommandRun.of("identity", "authority", "--out", authority).exitCode()).isZero();
    CommandRun issued =
        CommandRun.of(
            "identity",
            "worker",
            "3",
            "--nodes",
            "12-15",
            "--authority",
            authority,
            "--out",
            worker);

    assertThat(issued.err()).isEmpty();
    assertThat(issued.out()).contains("worker 3 with nodes 12-15", "fingerprint");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(worker)))
        .isEqualTo("rw-------");
    assertThat(CommandRun.of("identity", "show", worker).out())
        .contains("worker 3 with nodes 12-15", "CN=Grapevine authority", "until");
  }

  @Test
  void aLauncherSpeaksForNoNode() {
    Path authority = folder.resolve("authority");
    CommandRun.of("identity", "authority", "--out", authority, "--days", "3");
    CommandRun run =
        CommandRun.of(
            "identity", "launcher", "--authority", authority, "--out", folder.resolve("l.p12"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("(launcher;");
  }

  @Test
  void secretsAreMadeForThoseWhoStartWorkersByHand() throws Exception {
    Path file = folder.resolve("secret");

    CommandRun run = CommandRun.of("identity", "secret", "--out", file);

    assertThat(run.out()).doesNotContain(Files.readString(file).strip());
    assertThat(Files.readString(file)).matches("[0-9a-f]{64}\n");
    assertThat(CommandRun.of("identity", "secret", "--out", file).err())
        .contains("it is there already");
  }

  @Test
  void mistakesAreOneSentence() {
    Path nowhere = folder.resolve("nowhere");
    for (CommandRun run :
        new CommandRun[] {
          CommandRun.of("identity", "worker", "3", "--authority", nowhere),
          CommandRun.of("identity", "worker", "-1", "--authority", nowhere),
          CommandRun.of("identity", "worker", "1", "--nodes", "4-2", "--authority", nowhere),
          CommandRun.of("identity", "authority", "--days", "0", "--out", nowhere),
          CommandRun.of("identity", "show", nowhere)
        }) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err().strip()).hasLineCount(1);
    }
  }
}
