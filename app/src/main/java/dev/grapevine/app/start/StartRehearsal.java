package dev.grapevine.app.start;

import dev.grapevine.app.Grapevine;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.security.RunSecret;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Runs the usual commands once, in one process and at a tiny size, while the virtual machine
 * records which classes they need. The launcher keeps that record (JEP 483) and every later start
 * is faster. With the argument {@code trains} it trains, with {@code workers} it is two of them,
 * otherwise it only looks at results.
 */
public final class StartRehearsal {

  private static final String EXPERIMENT =
      """
      name = "rehearsal"
      rounds = 2
      [nodes]
      count = 4
      [topology]
      kind = "regular"
      degree = 2
      [data]
      set = "fashion-mnist-mini"
      [model]
      kind = "%s"
      [training]
      batch-size = 8
      steps = 2
      [evaluation]
      every = 1
      samples = 20
      [network]
      transport = "%s"
      """;

  private StartRehearsal() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createTempDirectory("grapevine-rehearsal");
    try {
      Path file = folder.resolve("rehearsal.toml");
      Path run = folder.resolve("run");
      Files.writeString(file, EXPERIMENT.formatted("logistic", "memory"));
      if (arguments.length > 0 && arguments[0].equals("trains")) {
        play("check", file);
        Path other = folder.resolve("other.toml");
        Files.writeString(other, EXPERIMENT.formatted("gn-lenet", "tcp"));
        play("run", other, "--out", folder.resolve("other"), "--set", "sharing.kind=jwins++");
        play("run", file, "--out", run, "--set", "runtime.kind=simulated");
        play("replay", run);
        play("launch", file, "--workers", "2", "--dry-run");
      } else if (arguments.length > 0 && arguments[0].equals("workers")) {
        Files.writeString(file, EXPERIMENT.formatted("gn-lenet", "memory"));
        playWorkers(file, folder.resolve("meeting"), folder.resolve("together"));
      } else {
        play("--help");
        play("list");
        play("list", "model");
        play("list", "sharing", "jwins++");
        play("topology", "regular", "--nodes", "8", "--degree", "3");
        play("data", "list");
        play("run", file, "--out", run);
        play("compare", run);
        play("plot", run);
        play("report", run);
      }
    } finally {
      delete(folder);
    }
    System.exit(0);
  }

  /** What a command prints and how it ends does not matter here. */
  private static void play(Object... words) {
    String[] arguments = Stream.of(words).map(Object::toString).toArray(String[]::new);
    CommandLine commandLine = Grapevine.commandLineFor(arguments);
    commandLine.setOut(new PrintWriter(new StringWriter()));
    commandLine.setErr(new PrintWriter(new StringWriter()));
    commandLine.execute(arguments);
  }

  /** Two workers that meet in a folder: one that coordinates, and one as a launcher starts it. */
  private static void playWorkers(Path file, Path meeting, Path out) throws IOException {
    RunSecret secret = RunSecret.shared(new Rendezvous.In(meeting).secretFile());
    // It stays open, since a launched worker ends with it.
    PipedOutputStream launcher = new PipedOutputStream();
    System.setIn(new PipedInputStream(launcher));
    launcher.write(secret.line());
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      threads.execute(() -> playWorker("worker", file, 0, meeting, "--out", out, "--save-models"));
      threads.execute(() -> playWorker("launched", file, 1, meeting));
    }
  }

  private static void playWorker(
      String command, Path file, int rank, Path meeting, Object... more) {
    List<Object> words = new ArrayList<>(List.of(command, file, "--rank", rank, "--world", 2));
    words.addAll(List.of("--rendezvous", meeting, "--join-within", 20));
    words.addAll(List.of(more));
    play(words.toArray());
  }

  private static void delete(Path folder) throws IOException {
    List<Path> inside;
    try (Stream<Path> all = Files.walk(folder)) {
      inside = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : inside) {
      Files.delete(path);
    }
  }
}
