package dev.grapevine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class FileProblemTest {

  @Test
  void saysTheReasonWithoutThePath() {
    assertThat(FileProblem.reason(new AccessDeniedException("/a/b")))
        .isEqualTo("permission denied");
    assertThat(FileProblem.reason(new FileSystemException("/a/b", null, "No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(FileProblem.reason(new FileNotFoundException("/a/b (Is a directory)")))
        .isEqualTo("Is a directory");
    assertThat(FileProblem.reason(new MalformedInputException(1)))
        .isEqualTo("it is not text in UTF-8");
    assertThat(FileProblem.reason(new IOException("broken"))).isEqualTo("broken");
    assertThat(FileProblem.reason(new IOException())).isEqualTo("IOException");
  }
}
