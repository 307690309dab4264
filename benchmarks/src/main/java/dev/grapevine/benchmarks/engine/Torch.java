package dev.grapevine.benchmarks.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** PyTorch in a Python process of its own, one thread; it answers one line per slice. */
final class Torch implements Contender, AutoCloseable {

  private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;
  private final Path script;
  private final String version;

  private Torch(Process process, Path script) throws IOException {
    this.process = process;
    this.script = script;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    String hello = answers.readLine();
    if (hello == null) {
      throw new IOException("no PyTorch here");
    }
    this.version = hello;
  }

  /** The first Python that has PyTorch, or nothing. */
  static Optional<Torch> find() {
    for (String python : PYTHONS) {
      @Nullable Path script = null;
      try {
        script = Files.createTempFile("grapevine-torch", ".py");
        try (InputStream source = Torch.class.getResourceAsStream("steps.py")) {
          if (source == null) {
            throw new IllegalStateException("steps.py is missing from the jar");
          }
          Files.write(script, source.readAllBytes());
        }
        Process process =
            new ProcessBuilder(python, script.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return Optional.of(new Torch(process, script));
      } catch (IOException e) {
        delete(script);
      }
    }
    return Optional.empty();
  }

  private static void delete(@Nullable Path script) {
    try {
      if (script != null) {
        Files.deleteIfExists(script);
      }
    } catch (IOException e) {
      script.toFile().deleteOnExit();
    }
  }

  String version() {
    return version;
  }

  @Override
  public double measure(Case subject, Work work, double seconds) {
    try {
      questions.write("%s %s %d %s%n".formatted(work, subject.model(), subject.batch(), seconds));
      questions.flush();
      String answer = answers.readLine();
      if (answer == null) {
        throw new IllegalStateException("the PyTorch process ended unexpectedly");
      }
      return Double.parseDouble(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    delete(script);
  }
}
