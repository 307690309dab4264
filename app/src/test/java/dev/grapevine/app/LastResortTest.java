package dev.grapevine.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LastResortTest {

  private final StringWriter err = new StringWriter();

  private int report(Throwable failure) {
    return LastResort.report(failure, new PrintWriter(err));
  }

  @Test
  void aDefectIsOneSentenceThatNamesWhereTheTraceIs() throws IOException {
    assertThat(report(new IllegalStateException("outer", new NullPointerException("inner"))))
        .isEqualTo(1);

    assertThat(err.toString())
        .startsWith(
            "this is a defect in Grapevine: NullPointerException: inner; the details are in ")
        .hasLineCount(1);
    Path trace = Path.of(err.toString().strip().replaceFirst(".* ", ""));
    assertThat(Files.readString(trace)).contains("IllegalStateException: outer", "\tat ");
    Files.delete(trace);
  }

  @Test
  void outOfMemoryComesWithAdvice() {
    assertThat(report(new IllegalStateException(new OutOfMemoryError("Java heap space"))))
        .isEqualTo(1);
    assertThat(err.toString()).contains("GRAPEVINE_JAVA_OPTS=-Xmx").hasLineCount(1);
  }

  @Test
  void afullDiskIsNoDefect() {
    IOException full = new IOException("No space left on device");
    assertThat(report(new UncheckedIOException("cannot write x: No space left on device", full)))
        .isEqualTo(1);
    assertThat(err.toString()).isEqualTo("cannot write x: No space left on device\n");
  }

  @Test
  void aFailureOfTheSystemHasNoClassInItsText() {
    IOException denied = new AccessDeniedException("/a/b");
    assertThat(report(new UncheckedIOException(denied))).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("/a/b: permission denied\n");
  }

  @Test
  void aMistakeInsideOfAWrapperIsStillAMistake() {
    assertThat(report(new RuntimeException(new UserException("mend it")))).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("mend it\n");
  }
}
