package dev.grapevine.app.identity;

import dev.grapevine.security.RunSecret;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the secret of a run, for workers that are started by hand. */
@Command(
    name = "secret",
    description = "Make the secret that the workers of a run have in common.",
    mixinStandardHelpOptions = true)
final class SecretCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      defaultValue = "secret",
      description = "The file to write (default: secret).")
  private Path out;

  @Override
  public Integer call() {
    RunSecret.random().write(out);
    PrintWriter print = spec.commandLine().getOut();
    print.println(
        "Wrote %s, which its owner alone can read; every worker of the run needs a copy."
            .formatted(out));
    print.flush();
    return 0;
  }
}
