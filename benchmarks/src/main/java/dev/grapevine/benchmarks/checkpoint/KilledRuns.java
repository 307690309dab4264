package dev.grapevine.benchmarks.checkpoint;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Runs in processes of their own that are killed without a word at a random moment, some of them
 * again while they are resumed, and must end as if they had been left alone.
 */
final class KilledRuns {

  private static final List<String> PROTOCOLS =
      List.of("d-psgd", "el-oracle", "qg-dsgdm", "dfedsam", "decentlam", "federated");

  private static final List<String> SCHEMES = List.of("full", "jwins++", "subsampling", "topk");

  private static final List<String> CLOCKS = List.of("live", "simulated");

  private static final String EXPERIMENT =
      """
      name = "killed"
      rounds = 60
      [nodes]
      count = 6
      [topology]
      kind = "regular"
      degree = 3
      [data]
      set = "digits"
      partition = "iid"
      [model]
      kind = "mlp"
      hidden = 16
      [training]
      optimizer = "adam"
      [evaluation]
      every = 10
      average-model = true
      [checkpoint]
      every = 2
      """;

  /**
   * What a run is.
   *
   * @param settings what it changes in the experiment
   */
  private record Kind(List<String> settings) {

    Experiment experiment() {
      return Experiment.parse(EXPERIMENT).with(settings);
    }

    @Override
    public String toString() {
      return String.join(" ", settings);
    }
  }

  /**
   * How it went.
   *
   * @param kills how many processes were killed while they ran
   * @param tooLate how many had come to their end before
   * @param kinds how many sorts of runs there were
   * @param failures what did not end as it should, each with what repeats it
   */
  record Result(int kills, int tooLate, int kinds, List<String> failures) {}

  private final Path folder;
  private final RandomGenerator random;
  private final Map<Kind, Optional<Whole>> wholes = new HashMap<>();

  /** One that was left alone. */
  private record Whole(Path directory, long nanos) {}

  KilledRuns(Path folder, long seed) {
    this.folder = folder;
    this.random = new SplittableRandom(seed);
  }

  /** The process that is killed: begins a run, or goes on with it. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    Kind kind = new Kind(List.of(arguments).subList(1, arguments.length));
    Run run = goingOn(directory, kind, List.of());
    System.out.println("begun");
    run.savesModels(true).start();
  }

  /** Goes on with a run, or begins it where it was killed before it had written what it is. */
  private static Run goingOn(Path directory, Kind kind, List<String> assignments)
      throws IOException {
    if (Files.exists(directory.resolve("experiment.toml"))) {
      return Run.resume(directory, assignments);
    }
    delete(directory);
    return Run.of(kind.experiment()).into(directory);
  }

  Result run(int kills) throws IOException, InterruptedException {
    List<Kind> kinds = new ArrayList<>();
    for (String clock : CLOCKS) {
      for (String protocol : PROTOCOLS) {
        for (String scheme : SCHEMES) {
          kinds.add(
              new Kind(
                  List.of(
                      "sharing.kind=" + scheme,
                      "protocol.kind=" + protocol,
                      "runtime.kind=" + clock)));
        }
      }
    }
    List<String> failures = new ArrayList<>();
    int done = 0;
    int tooLate = 0;
    for (int turn = 0; done < kills; turn++) {
      Kind kind = kinds.get(turn % kinds.size());
      Optional<Whole> whole = whole(kind);
      if (whole.isEmpty()) {
        continue;
      }
      Path directory = folder.resolve("killed-" + turn);
      boolean struck = kill(directory, kind, whole.get().nanos());
      done += struck ? 1 : 0;
      tooLate += struck ? 0 : 1;
      if (struck && random.nextInt(4) == 0 && kill(directory, kind, whole.get().nanos())) {
        done++;
      }
      if (!Files.exists(directory.resolve("summary.json"))) {
        goingOn(directory, kind, List.of("runtime.threads=" + (1 + random.nextInt(4))))
            .savesModels(true)
            .sharesProcess(true)
            .start();
      }
      difference(directory, whole.get().directory())
          .ifPresent(what -> failures.add("%s: %s".formatted(kind, what)));
      delete(directory);
    }
    long tried = wholes.values().stream().filter(Optional::isPresent).count();
    return new Result(done, tooLate, (int) tried, failures);
  }

  /** Empty for parts that do not go together. */
  private Optional<Whole> whole(Kind kind) {
    return wholes.computeIfAbsent(
        kind,
        missing -> {
          Path directory = folder.resolve("whole-" + wholes.size());
          long start = System.nanoTime();
          try {
            Run.of(kind.experiment()).into(directory).savesModels(true).sharesProcess(true).start();
          } catch (UserException refused) {
            return Optional.empty();
          }
          return Optional.of(new Whole(directory, System.nanoTime() - start));
        });
  }

  /** Starts a process and kills it at some moment; false if it ended before. */
  private boolean kill(Path directory, Kind kind, long nanos)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(KilledRuns.class.getName(), directory.toString()));
    command.addAll(kind.settings());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      // The first word comes once the run is about to be put together.
      process.inputReader().readLine();
      // A cold virtual machine takes several times as long as this one did.
      long moment = (long) (random.nextDouble() * 4 * nanos) + Duration.ofMillis(200).toNanos();
      if (process.waitFor(moment, TimeUnit.NANOSECONDS)) {
        return false;
      }
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
    return !Files.exists(directory.resolve("summary.json"));
  }

  private static Optional<String> difference(Path run, Path whole) throws IOException {
    try (Stream<Path> models = Files.list(whole.resolve("models"))) {
      for (Path model : models.toList()) {
        Path other = run.resolve("models").resolve(model.getFileName());
        if (!Files.exists(other) || Files.mismatch(model, other) >= 0) {
          return Optional.of("%s is another".formatted(model.getFileName()));
        }
      }
    }
    return figures(run).equals(figures(whole))
        ? Optional.empty()
        : Optional.of("the figures are others");
  }

  /** What the wall clock has no say in. */
  private static List<String> figures(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.csv")).stream()
        .filter(line -> line.contains("_accuracy,") || line.contains("_loss,"))
        .map(line -> line.substring(0, line.lastIndexOf(',')))
        .sorted()
        .toList();
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> inside = Files.walk(folder)) {
        for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
