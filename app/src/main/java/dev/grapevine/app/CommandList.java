package dev.grapevine.app;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** The commands in a help text by name, each with the whole first sentence of its description. */
public final class CommandList {

  private static final int INDENT = 2;

  private CommandList() {}

  static String text(Help help) {
    Map<String, Help> commands = new TreeMap<>(help.subcommands());
    if (commands.isEmpty()) {
      return "";
    }
    int names = commands.keySet().stream().mapToInt(String::length).max().orElseThrow();
    int width = help.commandSpec().usageMessage().width();
    int left = names + 2 * INDENT;
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(left, INDENT, Column.Overflow.SPAN),
            new Column(width - left, INDENT, Column.Overflow.WRAP));
    commands.forEach((name, command) ->
        table.addRowValues(
            help.colorScheme().commandText(name),
            help.colorScheme().text(summary(command.commandSpec().commandLine()))));
    return table.toString();
  }

  /** The first sentence, however many lines the description is written in. */
  public static String summary(CommandLine command) {
    String whole = String.join(" ", command.getCommandSpec().usageMessage().description());
    int end = whole.indexOf(". ");
    String sentence = end < 0 ? whole : whole.substring(0, end + 1);
    // Descriptions are format strings.
    return sentence.replace("%%", "%");
  }
}
