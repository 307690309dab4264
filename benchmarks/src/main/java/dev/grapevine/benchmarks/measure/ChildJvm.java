package dev.grapevine.benchmarks.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class in a fresh JVM with this one's flags and some more, and reads its answer. */
public final class ChildJvm {

  private final Class<?> main;
  private final List<String> flags;

  /**
   * @param flags such as {@code -Xmx2g}; they win over those of this JVM
   */
  public ChildJvm(Class<?> main, String... flags) {
    this.main = main;
    this.flags = List.of(flags);
  }

  /** What it printed, which is one line of numbers with spaces between them. */
  public double[] run(Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path errors = Files.createTempFile("grapevine-child", ".err");
    try {
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "%s failed in its own JVM:%n%s"
                .formatted(main.getSimpleName(), Files.readString(errors)));
      }
      String[] words = answer.strip().split(" ");
      double[] numbers = new double[words.length];
      for (int i = 0; i < words.length; i++) {
        numbers[i] = Double.parseDouble(words[i]);
      }
      return numbers;
    } finally {
      Files.delete(errors);
    }
  }
}
