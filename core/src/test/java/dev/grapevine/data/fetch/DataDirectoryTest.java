package dev.grapevine.data.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

  @TempDir Path folder;

  @Test
  void aSetIsThereWholeOrNotAtAll() throws IOException {
    DataDirectory directory = new DataDirectory(folder);
    assertThatThrownBy(() ->
            directory.install(
                "set",
                () -> false,
                target -> {
                  Files.writeString(target.resolve("half"), "...");
                  throw new UserException("cut off");
                }))
        .hasMessage("cut off");
    assertThat(visible()).isEmpty();
    directory.install("set", () -> false, target -> Files.writeString(target.resolve("a"), "1"));
    assertThat(directory.of("set").resolve("a")).hasContent("1");
    assertThat(visible()).containsExactly("set");
  }

  @Test
  void completesAnIncompleteSetAndClearsWhatADeadProcessLeft() throws IOException {
    DataDirectory directory = new DataDirectory(folder);
    Files.createDirectories(folder.resolve("set"));
    Files.writeString(folder.resolve("set/a"), "damaged");
    Files.writeString(folder.resolve("set/own"), "the user's");
    Path leftover = Files.createDirectories(folder.resolve(".set-being-made-999999"));
    Files.writeString(leftover.resolve("a"), "half");
    directory.install("set", () -> false, target -> Files.writeString(target.resolve("a"), "1"));
    assertThat(folder.resolve("set/a")).hasContent("1");
    assertThat(folder.resolve("set/own")).hasContent("the user's");
    assertThat(leftover).doesNotExist();
  }

  @Test
  void ofManyAtOnceOnlyOneDoesTheWork() throws Exception {
    DataDirectory directory = new DataDirectory(folder);
    AtomicInteger worked = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            threads.submit(() ->
                directory.install(
                    "set",
                    () -> Files.exists(folder.resolve("set/a")),
                    target -> {
                      worked.incrementAndGet();
                      Files.writeString(target.resolve("a"), "1");
                    })));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(worked).hasValue(1);
  }

  @Test
  void saysWhenTheFolderCannotBeWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    assertThatThrownBy(
            () -> new DataDirectory(file.resolve("x")).install("set", () -> false, target -> {}))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("--data-dir");
  }

  @Test
  void standsWhereAskedElseInTheEnvironmentElseInTheCache() {
    Path home = Path.of("/home/me");
    assertThat(DataDirectory.locate(Path.of("/a"), Map.of("GRAPEVINE_DATA", "/b"), home))
        .isEqualTo(Path.of("/a"));
    assertThat(DataDirectory.locate(null, Map.of("GRAPEVINE_DATA", "/b"), home))
        .isEqualTo(Path.of("/b"));
    assertThat(DataDirectory.locate(null, Map.of("XDG_CACHE_HOME", "/c"), home))
        .isEqualTo(Path.of("/c/grapevine"));
    assertThat(DataDirectory.locate(null, Map.of(), home))
        .isEqualTo(Path.of("/home/me/.cache/grapevine"));
  }

  /** All but lock files. */
  private List<String> visible() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.endsWith(".lock"))
          .toList();
    }
  }
}
