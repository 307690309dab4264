package dev.grapevine.app.watch;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.results.SavedRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a run while it goes. */
@Command(
    name = "watch",
    description = "Show a live page about a run on this machine, until Ctrl-C.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The run may go in another process: give the directory that it writes to.",
      "A run that is only about to begin is shown by:  grapevine run FILE --watch"
    })
public final class WatchCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "The directory of a run.")
  private Path directory;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Where to listen (default: any port that is free).")
  private int port;

  @Override
  public Integer call() {
    if (port < 0 || port > 65535) {
      throw new UserException("--port must be from 0 to 65535: port=" + port);
    }
    SavedRun.settingsOf(directory);
    PrintWriter out = spec.commandLine().getOut();
    try (WatchServer server = WatchServer.start(directory, port);
        Interruption interruption = Interruption.ofThisThread()) {
      out.println("watch at " + server.address());
      out.println("Ctrl-C ends the page; the run goes on.");
      out.flush();
      server.awaitInterrupt();
    }
    return 0;
  }
}
