package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.cluster.LeftBehind;
import dev.grapevine.security.RunSecret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A worker that the launcher has started, here or over a remote shell. Its standard input stays
 * open as long as the launcher lives: when it ends, so does the worker, whatever has become of the
 * launcher.
 */
final class WorkerProcess {

  /** The virtual machine says so on every start. */
  private static final String NOISE = "WARNING: Using incubator modules";

  /** How long one who was told that the run is over takes to be gone. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final int rank;
  private final String host;
  private final Process process;
  private final OutputStream input;
  private volatile String lastWords = "";

  private WorkerProcess(int rank, String host, Process process) {
    this.rank = rank;
    this.host = host;
    this.process = process;
    this.input = process.getOutputStream();
  }

  /**
   * Starts a worker.
   *
   * @param secret what it is told on its standard input
   * @param lines takes what it says, line by line
   */
  static WorkerProcess start(
      int rank,
      String host,
      List<String> command,
      Map<String, String> environment,
      RunSecret secret,
      Consumer<String> lines) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      WorkerProcess worker = new WorkerProcess(rank, host, builder.start());
      worker.input.write(secret.line());
      worker.input.flush();
      Thread.ofVirtual().name("worker-" + rank).start(() -> worker.relay(lines));
      return worker;
    } catch (IOException e) {
      throw new UserException(
          "worker %d cannot be started with %s: %s"
              .formatted(rank, command.getFirst(), e.getMessage()),
          e);
    }
  }

  private void relay(Consumer<String> lines) {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (!line.startsWith(NOISE) && !line.isBlank()) {
          lastWords = line;
          lines.accept("[%d %s] %s".formatted(rank, host, line));
        }
      }
    } catch (IOException gone) {
      // It has said all it had to say.
      return;
    }
  }

  int rank() {
    return rank;
  }

  String host() {
    return host;
  }

  String lastWords() {
    return lastWords;
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /** Removes what it has left behind here; to be called once it has ended. */
  void sweep() {
    LeftBehind.sweep(process.pid());
  }

  OptionalInt exitCode() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** Waits for it to end by itself; if it does not, lets go of it, asks it, and then ends it. */
  void end(Duration patience) {
    try {
      if (process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      closeInput();
      if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      process.destroy();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  void kill() {
    process.destroyForcibly();
  }

  private void closeInput() {
    try {
      input.close();
    } catch (IOException e) {
      // It is gone either way.
      return;
    }
  }
}
