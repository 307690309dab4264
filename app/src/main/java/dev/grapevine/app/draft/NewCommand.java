package dev.grapevine.app.draft;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.terminal.Terminal;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.settings.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a first experiment file. */
@Command(
    name = "new",
    description = "Write a commented experiment file, by a few questions or from options.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "On a terminal, what no option says is asked; elsewhere it has the default.",
      "Example:  grapevine new mine.toml --nodes 32 --topology ring --sharing jwins"
    })
public final class NewCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file to write, such as mine.toml.")
  private Path file;

  @Option(names = "--name", paramLabel = "NAME", description = "Its name (default: the file's).")
  private @Nullable String name;

  @Option(names = "--nodes", paramLabel = "N", description = "How many nodes (default 16).")
  private @Nullable String nodes;

  @Option(
      names = "--topology",
      paramLabel = "KIND",
      description = "Who talks to whom (default regular).")
  private @Nullable String topology;

  @Option(
      names = "--data",
      paramLabel = "SET",
      description = "The data set (default fashion-mnist-mini).")
  private @Nullable String data;

  @Option(names = "--model", paramLabel = "KIND", description = "The model (default mlp).")
  private @Nullable String model;

  @Option(names = "--sharing", paramLabel = "KIND", description = "What nodes send (default full).")
  private @Nullable String sharing;

  @Option(names = "--rounds", paramLabel = "N", description = "How many rounds (default 60).")
  private @Nullable String rounds;

  @Option(
      names = "--runtime",
      paramLabel = "KIND",
      description = "live or simulated (default live).")
  private @Nullable String runtime;

  @Option(names = "--ask", description = "Ask even where there is no terminal.")
  private boolean asks;

  @Option(names = "--force", description = "Write over a file that is there.")
  private boolean replaces;

  @Override
  public Integer call() throws IOException {
    if (Files.exists(file) && !replaces) {
      throw new UserException(file + " is there already; name another file, or add --force");
    }
    Registry registry = Registry.load();
    Map<Question, String> answers = answers(registry);
    String text = Draft.of(answers, registry);
    // What does not go together is said now rather than by the first run.
    Experiment.parse(text, folder(), registry);
    write(text);
    PrintWriter out = spec.commandLine().getOut();
    out.println("wrote " + file);
    out.println("check         ./grapevine check " + file);
    out.println("run           ./grapevine run " + file);
    out.flush();
    return 0;
  }

  private Map<Question, String> answers(Registry registry) throws IOException {
    boolean ask = asks || (System.console() != null && Terminal.ofOutput().isWatched());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Map<Question, String> answers = new EnumMap<>(Question.class);
    for (Question question : Question.values()) {
      String given = given(question);
      if (given != null) {
        question.check(given, registry);
      }
      String usual = question == Question.NAME ? nameOfFile() : question.usual();
      answers.put(
          question, given != null ? given : ask ? ask(question, usual, in, registry) : usual);
    }
    return answers;
  }

  private String ask(Question question, String usual, BufferedReader in, Registry registry)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    while (true) {
      String help = question.help().isEmpty() ? "" : " (" + question.help() + ")";
      out.print("%s%s? [%s] ".formatted(question.words(), help, usual));
      out.flush();
      String line = in.readLine();
      if (line == null || line.isBlank()) {
        if (line == null) {
          out.println();
        }
        return usual;
      }
      try {
        question.check(line.strip(), registry);
        return line.strip();
      } catch (UserException wrong) {
        out.println(wrong.getMessage());
      }
    }
  }

  private @Nullable String given(Question question) {
    return switch (question) {
      case NAME -> name;
      case NODES -> nodes;
      case TOPOLOGY -> topology;
      case DATA -> data;
      case MODEL -> model;
      case SHARING -> sharing;
      case ROUNDS -> rounds;
      case RUNTIME -> runtime;
    };
  }

  private String nameOfFile() {
    Path last = file.getFileName();
    String plain = last == null ? "" : last.toString().replaceFirst("\\.[^.]*$", "");
    return plain.isBlank() ? Question.NAME.usual() : plain;
  }

  private Path folder() {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("") : parent;
  }

  private void write(String text) {
    try {
      Files.createDirectories(folder());
      if (replaces) {
        Files.writeString(file, text);
      } else {
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
      }
    } catch (FileAlreadyExistsException e) {
      throw new UserException(file + " is there already; name another file", e);
    } catch (IOException e) {
      throw new UserException("cannot write %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }
}
