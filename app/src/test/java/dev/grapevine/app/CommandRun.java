package dev.grapevine.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import picocli.CommandLine;

/** A command run in this process, with what it printed. */
public record CommandRun(int exitCode, String out, String err) {

  public static CommandRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine = Grapevine.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    int exitCode =
        commandLine.execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
