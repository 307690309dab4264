package dev.grapevine.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSecretTest {

  private static final byte[] PART = {1, 2, 3};

  @TempDir private Path folder;

  @Test
  void goesToAWorkerOverItsStandardInput() throws Exception {
    RunSecret secret = RunSecret.random();
    InputStream in =
        new ByteArrayInputStream(
            (new String(secret.line(), StandardCharsets.US_ASCII) + "more").getBytes());

    RunSecret read = RunSecret.read(in);

    assertThat(read.verifies(secret.proof("role", PART), "role", PART)).isTrue();
    assertThat(new String(in.readAllBytes())).isEqualTo("more");
  }

  @Test
  void isKeptInAFileOfItsOwnerAlone() throws Exception {
    Path file = folder.resolve("secret");
    RunSecret secret = RunSecret.random();
    secret.write(file);

    assertThat(RunSecret.read(file).proof("role")).isEqualTo(secret.proof("role"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    for (String mode : List.of("rw-r-----", "rw----r--", "rw--w----", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> RunSecret.read(file))
          .isInstanceOf(UserException.class)
          .hasMessageContaining(mode)
          .hasMessageContaining("chmod 600 " + file);
    }
  }

  @Test
  void aFileThatHoldsNoneIsNotShown() throws Exception {
    Path file = folder.resolve("secret");
    PrivateFile.write(file, "0123 not quite".getBytes());

    assertThatThrownBy(() -> RunSecret.read(file))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("holds no run secret: a run secret is 64 hexadecimal digits")
        .hasMessageNotContaining("not quite");
    assertThatThrownBy(() -> RunSecret.read(InputStream.nullInputStream()))
        .hasMessageContaining("no run secret came over standard input");
    assertThatThrownBy(() -> RunSecret.read(folder.resolve("missing")))
        .hasMessageContaining("there is no such file");
  }

  @Test
  void allWhoMeetInADirectoryHaveOneSecret() throws Exception {
    Path meeting = folder.resolve("a").resolve("meeting");
    Path file = meeting.resolve("secret");
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Callable<String>> members =
          Stream.<Callable<String>>generate(
                  () -> () -> HexFormat.of().formatHex(RunSecret.shared(file).proof("role")))
              .limit(32)
              .toList();
      assertThat(threads.invokeAll(members).stream().map(future -> future.resultNow()).distinct())
          .hasSize(1);
    }
    try (Stream<Path> left = Files.list(meeting)) {
      assertThat(left).containsExactly(file);
    }
  }

  /** RFC 4231, test case 2, with our lengths before role and part. */
  @Test
  void proofsAreHmacs() throws Exception {
    RunSecret secret =
        RunSecret.read(new ByteArrayInputStream(("00".repeat(32) + "\n").getBytes()));
    javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA256");
    mac.init(new javax.crypto.spec.SecretKeySpec(new byte[32], "HmacSHA256"));

    assertThat(secret.proof("ab", PART))
        .isEqualTo(mac.doFinal(new byte[] {0, 0, 0, 2, 'a', 'b', 0, 0, 0, 3, 1, 2, 3}));
  }

  @Test
  void noTwoListsOfPartsLookAlike() {
    RunSecret secret = RunSecret.random();
    byte[] proof = secret.proof("role", PART, new byte[0]);

    assertThat(secret.verifies(proof, "role", new byte[0], PART)).isFalse();
    assertThat(secret.verifies(proof, "role", PART)).isFalse();
    assertThat(secret.verifies(proof, "rol", "e".getBytes(), PART, new byte[0])).isFalse();
    assertThat(secret.verifies(new byte[0], "role", PART, new byte[0])).isFalse();
    assertThat(secret.toString()).doesNotContain(new String(secret.line()).strip());
  }
}
