package dev.grapevine.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Both ends send at once, as fast as they can, while keys change every megabyte. The limit is read
 * when the platform's TLS is loaded, so that this needs a process of its own.
 */
@Timeout(120)
class KeyUpdateTest {

  @Test
  void keysChangeWhileBothEndsSend() throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx200m",
            "-XX:TieredStopAtLevel=1",
            "-Djava.security.properties=" + BusyLink.limits(),
            "-cp",
            System.getProperty("java.class.path"),
            BusyLink.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output.strip()).isEqualTo("all arrived");
  }
}
