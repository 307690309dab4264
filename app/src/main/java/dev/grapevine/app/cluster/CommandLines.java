package dev.grapevine.app.cluster;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** What was typed. */
final class CommandLines {

  private CommandLines() {}

  static List<String> typed(CommandSpec spec) {
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    return command;
  }
}
