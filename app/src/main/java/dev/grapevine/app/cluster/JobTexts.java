package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.deploy.EngineJob;
import dev.grapevine.app.deploy.KubernetesJob;
import dev.grapevine.app.deploy.SlurmBatch;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Texts for engines, which a dry run writes. */
final class JobTexts {

  @Option(names = "--slurm", description = "With --dry-run: write a batch file for sbatch.")
  private boolean isSlurm;

  @Option(
      names = "--kubernetes",
      description = "With --dry-run: write a job and a service for kubectl.")
  private boolean isKubernetes;

  @Option(
      names = "--image",
      paramLabel = "NAME",
      defaultValue = "grapevine:0.1.0",
      description = "With --kubernetes: the image (default: grapevine:0.1.0).")
  private String image;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --slurm or --kubernetes: processors of each worker (default: 1).")
  private int processors;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "0",
      description = "With --slurm or --kubernetes: memory of each worker in MiB.")
  private long memory;

  boolean isChosen() {
    return isSlurm || isKubernetes;
  }

  String text(String name, Path experiment, int workers, List<String> options) {
    if (isSlurm && isKubernetes) {
      throw new UserException("give --slurm or --kubernetes, not both");
    }
    EngineJob job = new EngineJob(name, experiment, workers, processors, memory, options);
    return isSlurm
        ? SlurmBatch.text(job, EngineOptions.launcher(), Path.of("").toAbsolutePath())
        : KubernetesJob.text(job, image);
  }
}
