package dev.grapevine.benchmarks.workers;

import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Kills a worker at a chosen moment of a run and looks what becomes of the rest. Three workers have
 * two nodes each; the second is the one that dies.
 */
final class KillMatrix {

  /** What a lost worker means, as an experiment says it. */
  enum Policy {
    END,
    DROP
  }

  /** When it happens. */
  enum Moment {
    BEFORE_JOIN,
    BEFORE_START,
    TRAINING,
    MID_FRAME,
    EVALUATION,
    AFTER_LAST_ROUND;

    /** Whether there is a run that could go on without the worker. */
    boolean hasBegun() {
      return this != BEFORE_JOIN && this != BEFORE_START;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * What became of it.
   *
   * @param seconds from the kill to when the launcher had ended or, where it goes on, had told of
   *     it
   * @param problem what was not as it should be; empty if all was
   */
  record Ended(int code, double seconds, String problem) {}

  private static final int VICTIM = 1;

  /** Silence counts as death after ten seconds, and five more may pass. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final long GLANCE = 10;

  /** Longer than a worker sleeps that has anything to do. */
  private static final long STILL = 400;

  private final Path folder;
  private final Path data;
  private final Moment moment;
  private final Policy policy;
  private final Path out;
  private final Path said;

  KillMatrix(Path folder, Path data, Moment moment, Policy policy) {
    this.folder = folder;
    this.data = data;
    this.moment = moment;
    this.policy = policy;
    this.out = folder.resolve("run");
    this.said = folder.resolve("said.txt");
  }

  /** Runs the case. */
  Ended run() throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("kill.toml"), toml());
    Files.writeString(folder.resolve("graph.txt"), "6\n0 1\n1 4\n4 5\n5 0\n2 3\n");
    Process launcher =
        new ProcessBuilder(
                LaunchedRun.command(
                    "launch",
                    List.of(
                        file.toString(),
                        "--workers",
                        "3",
                        "--data-dir",
                        data.toString(),
                        "--out",
                        out.toString())))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      return watch(launcher);
    } catch (IllegalStateException e) {
      return new Ended(-1, Double.NaN, String.valueOf(e.getMessage()));
    } finally {
      launcher.descendants().forEach(ProcessHandle::destroyForcibly);
      launcher.destroyForcibly();
    }
  }

  private Ended watch(Process launcher) throws IOException, InterruptedException {
    await(launcher, () -> launcher.children().count() == 3);
    List<ProcessHandle> workers = launcher.children().toList();
    waitForTheMoment(launcher);
    long begin = System.nanoTime();
    worker(launcher, VICTIM).destroyForcibly();
    afterwards(launcher);
    boolean goesOn = policy == Policy.DROP && moment.hasBegun();
    if (goesOn) {
      await(launcher, () -> read("deployment.json").contains("was lost"));
    } else {
      await(launcher, () -> !launcher.isAlive());
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    await(launcher, () -> !launcher.isAlive());
    int code = launcher.exitValue();
    return new Ended(code, seconds, problem(code, goesOn, seconds, workers));
  }

  private String problem(int code, boolean goesOn, double seconds, List<ProcessHandle> workers)
      throws IOException {
    String text = Files.readString(said);
    int wanted = goesOn ? 0 : 75;
    if (code != wanted) {
      return "exit code %d instead of %d: %s".formatted(code, wanted, text);
    }
    if (seconds > LIMIT.toSeconds()) {
      return "it took %.1f s".formatted(seconds);
    }
    if (!(text + read("deployment.json")).matches("(?s).*worker 1 on [^ ]+ \\(nodes 2-3.*")) {
      return "the worker is not named: " + text;
    }
    if (workers.stream().anyMatch(ProcessHandle::isAlive)) {
      return "a worker is left";
    }
    String outcome = SavedRun.read(out).outcome();
    String expected = goesOn ? "done" : "failed";
    return outcome.equals(expected) ? "" : "the run directory says " + outcome;
  }

  private void waitForTheMoment(Process launcher) throws IOException, InterruptedException {
    switch (moment) {
      case BEFORE_JOIN -> {
        // A virtual machine has only just been started.
      }
      case BEFORE_START -> {
        signal("STOP", worker(launcher, 2));
        await(launcher, () -> read("run.log").matches("(?s).*worker 1 on [^ ]+ has joined.*"));
      }
      case TRAINING, EVALUATION -> await(launcher, () -> hasRounds(out, 1));
      case MID_FRAME -> {
        await(launcher, () -> hasRounds(out, 1));
        // A model is larger than all that lies between two ends, so that who sends it to one who
        // reads nothing is in the middle of it before long.
        signal("STOP", worker(launcher, 0));
        awaitStandstill(worker(launcher, VICTIM));
      }
      case AFTER_LAST_ROUND -> await(launcher, () -> hasRounds(out.resolve("parts/worker-1"), 40));
    }
  }

  /** Those who were stopped for it go on. */
  private void afterwards(Process launcher) throws IOException, InterruptedException {
    switch (moment) {
      case BEFORE_START -> signal("CONT", worker(launcher, 2));
      case MID_FRAME -> signal("CONT", worker(launcher, 0));
      default -> {
        // Nobody was.
      }
    }
  }

  private static boolean hasRounds(Path run, int rounds) {
    return Files.exists(run.resolve("metrics.csv"))
        && SavedRun.read(run)
            .metric("bytes_sent")
            .filter(column -> column.round(column.rounds() - 1) + 1 >= rounds)
            .isPresent();
  }

  private void await(Process launcher, BooleanSupplier what)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!what.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("it never came to it: " + Files.readString(said));
      }
      if (!launcher.isAlive() && !what.getAsBoolean()) {
        throw new IllegalStateException("the run is over already: " + Files.readString(said));
      }
      Thread.sleep(GLANCE);
    }
  }

  private static void awaitStandstill(ProcessHandle process) throws InterruptedException {
    Duration before = Duration.ofDays(-1);
    Duration now = busy(process);
    while (!now.equals(before)) {
      Thread.sleep(STILL);
      before = now;
      now = busy(process);
    }
  }

  private static Duration busy(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private ProcessHandle worker(Process launcher, int rank) {
    return launcher
        .children()
        .filter(child -> commandLine(child).contains("\0--rank\0" + rank + "\0"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no worker " + rank));
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }

  private static void signal(String name, ProcessHandle process)
      throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }

  private String read(String file) {
    try {
      return Files.readString(out.resolve(file));
    } catch (IOException notYet) {
      return "";
    }
  }

  private String toml() {
    String common =
        """
        name = "kill"
        [nodes]
        count = 6
        [topology]
        kind = "ring"
        [data]
        set = "fashion-mnist-mini"
        [faults]
        failed-node = "%s"
        """
            .formatted(policy.name().toLowerCase(Locale.ROOT));
    return switch (moment) {
      case BEFORE_JOIN, BEFORE_START, TRAINING ->
          with(common, 3000, 1, 20, 4) + "[model]\nkind = \"logistic\"\n";
      case MID_FRAME -> with(common, 12, 1, 1, 4) + "[model]\nkind = \"mlp\"\nhidden = 4000\n";
      case EVALUATION -> with(common, 25, 1, 1, 500) + "[model]\nkind = \"gn-lenet\"\n";
      case AFTER_LAST_ROUND ->
          with(common, 40, 1, 1, 4)
                  .replace("kind = \"ring\"", "kind = \"file\"\npath = \"graph.txt\"")
              + "[model]\nkind = \"logistic\"\n"
              + "[[override]]\nnodes = \"0-1,4-5\"\ntraining.steps = 3000\n";
    };
  }

  private static String with(String common, int rounds, int steps, int every, int samples) {
    return "rounds = %d\n%s[training]\nbatch-size = 4\nsteps = %d\n[evaluation]\nevery = %d\nsamples = %d\n"
        .formatted(rounds, common, steps, every, samples);
  }
}
