package dev.grapevine.app.sweep;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.deploy.ClusterEngine;
import dev.grapevine.app.deploy.EngineJob;
import dev.grapevine.app.deploy.SlurmBatch;
import dev.grapevine.results.AtomicFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Runs of a sweep that somebody else's engine starts, each as a process of its own. */
final class ElsewhereOptions {

  private static final String SLURM = "slurm";

  @Option(
      names = "--on",
      paramLabel = "ENGINE",
      description =
          "Let an engine start the runs: slurm (an array job) or spark (ordinary tasks). All"
              + " machines must see this directory.")
  private @Nullable String engine;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "local[*]",
      description = "With --on spark: where Spark is (default: local[*]).")
  private String master;

  @Option(
      names = "--dry-run",
      description = "With --on slurm: show the batch file; submit nothing.")
  private boolean isDry;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --on slurm: processors of each run (default: 1).")
  private int threads;

  boolean isChosen() {
    return engine != null;
  }

  /**
   * What to start.
   *
   * @param name of the experiment
   * @param file the experiment file
   * @param options what follows the file in the command of a run
   * @param parallel how many at a time
   */
  record Work(String name, Path file, List<String> options, int parallel) {}

  /** Starts runs, by their numbers, and waits for them, unless the engine does so by itself. */
  SweepRunner.Report start(
      Work work, Map<Integer, PointDirectory> missing, int points, Path sweep, PrintWriter out) {
    return SLURM.equals(engine)
        ? submit(work, points, sweep, out)
        : run(work, missing, ClusterEngine.named(String.valueOf(engine)));
  }

  /** Hands an array job to Slurm. Runs that are done already end at once. */
  private SweepRunner.Report submit(Work work, int points, Path sweep, PrintWriter out) {
    String text =
        SlurmBatch.sweep(
            new EngineJob(work.name(), work.file(), 1, threads, 0, work.options()),
            launcher(),
            Path.of("").toAbsolutePath(),
            points,
            work.parallel() > 1 ? work.parallel() : 0);
    if (isDry) {
      out.print(text);
      return new SweepRunner.Report(Map.of(), false);
    }
    Path batch = sweep.resolve("sweep.sbatch");
    AtomicFiles.write(batch, text);
    out.println("%-14s%s".formatted("batch file", batch));
    out.println("%-14s%s".formatted("submitted", sbatch(batch)));
    out.println("When all have run, the same command without --on shows the table.");
    return new SweepRunner.Report(Map.of(), false);
  }

  private static String sbatch(Path batch) {
    try {
      Process process =
          new ProcessBuilder("sbatch", "--parsable", batch.toString())
              .redirectErrorStream(true)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new UserException("Slurm does not take %s: %s".formatted(batch, said));
      }
      return "job " + said;
    } catch (IOException e) {
      throw new UserException(
          "cannot start sbatch (%s); submit %s where Slurm is"
              .formatted(FileProblem.reason(e), batch),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserException("interrupted while Slurm was asked to take " + batch, e);
    }
  }

  private SweepRunner.Report run(
      Work work, Map<Integer, PointDirectory> missing, ClusterEngine chosen) {
    if (missing.isEmpty()) {
      return new SweepRunner.Report(Map.of(), false);
    }
    Map<PointDirectory, String> failures = Collections.synchronizedMap(new LinkedHashMap<>());
    List<ClusterEngine.Task> tasks = new ArrayList<>();
    List<PointDirectory> order = new ArrayList<>();
    missing.forEach((number, point) -> {
      List<String> command = new ArrayList<>();
      command.addAll(List.of(launcher().toString(), "sweep", work.file().toString()));
      command.addAll(List.of("--point", String.valueOf(number)));
      command.addAll(work.options());
      tasks.add(new ClusterEngine.Task(tasks.size(), command, Map.of("GRAPEVINE_BUILD", "never")));
      order.add(point);
    });
    ClusterEngine.Order request =
        new ClusterEngine.Order(
            work.name(),
            master,
            Path.of("").toAbsolutePath(),
            tasks,
            new byte[0],
            false,
            (task, host, code, words) -> {
              if (code.orElse(-1) != 0) {
                failures.put(order.get(task), "on %s: %s".formatted(host, words));
              }
            });
    try (ClusterEngine.Started started = chosen.start(request)) {
      started.await();
      return new SweepRunner.Report(new LinkedHashMap<>(failures), false);
    } catch (InterruptedException e) {
      return new SweepRunner.Report(new LinkedHashMap<>(failures), true);
    }
  }

  private static Path launcher() {
    String home = System.getProperty("grapevine.home");
    if (home == null) {
      throw new UserException("--on must be started by the launcher: ./grapevine sweep");
    }
    return Path.of(home, "grapevine");
  }
}
