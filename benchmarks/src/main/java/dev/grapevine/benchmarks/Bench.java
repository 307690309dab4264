package dev.grapevine.benchmarks;

import dev.grapevine.app.Subcommand;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code grapevine bench}: hands over to a {@link Benchmark}. */
@Command(
    name = "bench",
    description = "Measure how fast this machine runs Grapevine, side by side with peers.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK")
public final class Bench implements Subcommand, Runnable {

  @Spec private CommandSpec spec;

  @Spec
  void addBenchmarks(CommandSpec own) {
    for (Benchmark benchmark : ServiceLoader.load(Benchmark.class)) {
      CommandLine command = new CommandLine(benchmark);
      own.addSubcommand(command.getCommandName(), command);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say which benchmark to run");
  }
}
