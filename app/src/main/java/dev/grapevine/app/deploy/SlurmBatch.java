package dev.grapevine.app.deploy;

import dev.grapevine.app.console.ShellWord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A batch file for Slurm: every task of the job is a worker. */
public final class SlurmBatch {

  /** How long before the end of its time a job is told, in seconds; enough to save. */
  private static final int NOTICE = 120;

  private SlurmBatch() {}

  /**
   * The file.
   *
   * @param launcher the command {@code grapevine}, where all machines find it
   * @param directory where the job runs, which all machines see
   */
  public static String text(EngineJob job, Path launcher, Path directory) {
    String grapevine = ShellWord.quote(launcher.toString());
    String experiment = ShellWord.quote(job.experiment().toString());
    List<String> lines = new ArrayList<>(head(job.label(), "", job));
    lines.add("#SBATCH --ntasks=" + job.workers());
    lines.add("#SBATCH --cpus-per-task=" + job.threads());
    lines.add(
        "# Workers hear that their time is nearly up, and end in order; a job that is pre-empted");
    lines.add("# or loses a machine goes back into the queue.");
    lines.add("#SBATCH --signal=TERM@" + NOTICE);
    lines.add("#SBATCH --requeue");
    lines.add("set -eu");
    lines.add("cd " + ShellWord.quote(directory.toString()));
    lines.add("");
    lines.add(
        "# Workers meet in a directory that all machines see. The run's secret is made there, and you");
    lines.add("# alone can read it.");
    lines.add("meet=$PWD/.meet/$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}");
    lines.add("(umask 077 && mkdir -p \"$meet\")");
    lines.add("# Builds, if need be, once and here; workers never do.");
    lines.add(grapevine + " check " + experiment);
    lines.add("export GRAPEVINE_BUILD=never");
    lines.add("");
    lines.add("code=0");
    lines.add("srun --kill-on-bad-exit=0 --cpus-per-task=" + job.threads() + " \\");
    lines.add("  " + worker(grapevine, experiment, job.options()) + " || code=$?");
    lines.add("rm -rf \"$meet\"");
    if (job.options().contains("--resume")) {
      lines.add("# One whose time was up has been saved; one that lost a worker was, a while ago.");
      lines.add("if [ $code -eq 143 ] || [ $code -eq 75 ]; then");
      lines.add("  scontrol requeue \"$SLURM_JOB_ID\"");
      lines.add("fi");
    }
    lines.add("exit $code");
    return String.join("\n", lines) + "\n";
  }

  private static String worker(String grapevine, String experiment, List<String> options) {
    String rest = options.isEmpty() ? "" : " " + ShellWord.quote(options);
    return "%s worker %s --rendezvous \"$meet\"%s".formatted(grapevine, experiment, rest);
  }

  private static List<String> head(String label, String array, EngineJob job) {
    List<String> lines = new ArrayList<>();
    lines.add("#!/bin/sh");
    lines.add("#SBATCH --job-name=" + label);
    lines.add("#SBATCH --output=%s-%s.log".formatted(label, array.isEmpty() ? "%j" : "%A-%a"));
    lines.add("#SBATCH --open-mode=append");
    if (job.memory() > 0) {
      lines.add("#SBATCH --mem-per-cpu=" + Math.ceilDiv(job.memory(), job.threads()) + "M");
    }
    return lines;
  }

  /**
   * A batch file whose tasks are the runs of a sweep, each by itself.
   *
   * @param points how many runs there are
   * @param parallel how many may run at a time; 0 leaves it to Slurm
   */
  public static String sweep(
      EngineJob job, Path launcher, Path directory, int points, int parallel) {
    List<String> lines = new ArrayList<>(head(job.label(), "array", job));
    lines.add("#SBATCH --array=0-" + (points - 1) + (parallel > 0 ? "%" + parallel : ""));
    lines.add("#SBATCH --ntasks=1");
    lines.add("#SBATCH --cpus-per-task=" + job.threads());
    lines.add("#SBATCH --requeue");
    lines.add("set -eu");
    lines.add("cd " + ShellWord.quote(directory.toString()));
    lines.add("export GRAPEVINE_BUILD=never");
    lines.add(
        "exec %s sweep %s --point \"$SLURM_ARRAY_TASK_ID\"%s"
            .formatted(
                ShellWord.quote(launcher.toString()),
                ShellWord.quote(job.experiment().toString()),
                job.options().isEmpty() ? "" : " " + ShellWord.quote(job.options())));
    return String.join("\n", lines) + "\n";
  }
}
