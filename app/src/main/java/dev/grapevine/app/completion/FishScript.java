package dev.grapevine.app.completion;

import dev.grapevine.app.CommandList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Completions for the fish shell: one line for every command and option. */
final class FishScript {

  private final String program;
  private final StringBuilder text = new StringBuilder();

  private FishScript(String program) {
    this.program = program;
  }

  static String of(CommandLine all) {
    FishScript script = new FishScript(all.getCommandName());
    script.add(all, List.of());
    return script.text.toString();
  }

  private void add(CommandLine command, List<String> path) {
    Map<String, CommandLine> below = command.getSubcommands();
    String here = condition(path, below);
    below.forEach(
        (name, child) -> line(here, "-f -a %s".formatted(name), CommandList.summary(child)));
    for (OptionSpec option : command.getCommandSpec().options()) {
      StringBuilder names = new StringBuilder();
      for (String name : option.names()) {
        names.append(names.isEmpty() ? "" : " ");
        names.append(name.startsWith("--") ? "-l " : "-s ").append(name.replaceFirst("^-+", ""));
      }
      String takesValue = option.arity().max() > 0 ? " -r" : "";
      line(here, names + takesValue, String.join(" ", option.description()));
    }
    below.forEach((name, child) -> add(child, append(path, name)));
  }

  private void line(String condition, String what, String description) {
    text.append(
        "complete -c %s -n '%s' %s -d '%s'%n"
            .formatted(program, condition, what, description.replace("'", "")));
  }

  /** When a completion is offered: after the words of the path, before any command below it. */
  private static String condition(List<String> path, Map<String, CommandLine> below) {
    if (path.isEmpty()) {
      return "__fish_use_subcommand";
    }
    StringBuilder condition = new StringBuilder();
    for (String word : path) {
      condition.append(condition.isEmpty() ? "" : "; and ");
      condition.append("__fish_seen_subcommand_from ").append(word);
    }
    if (!below.isEmpty()) {
      condition
          .append("; and not __fish_seen_subcommand_from ")
          .append(String.join(" ", below.keySet()));
    }
    return condition.toString();
  }

  private static List<String> append(List<String> path, String name) {
    return Stream.concat(path.stream(), Stream.of(name)).toList();
  }
}
