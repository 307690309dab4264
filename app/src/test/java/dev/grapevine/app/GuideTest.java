package dev.grapevine.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.settings.Registry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Runs every {@code ./grapevine} command of the guide, page by page, in this process. Experiments
 * are made small; paths are moved to a temporary directory. A command that cannot be run here must
 * at least parse, and is shown as skipped with the reason.
 */
class GuideTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?s)```sh\\n(.*?)```");
  private static final Map<String, String> LONG =
      Map.of(
          "test", "the whole test suite",
          "bench", "takes minutes, and is in another module",
          "data get", "fetches from the network",
          "reproduce", "takes minutes to hours",
          "watch", "serves until Ctrl-C");
  private static final List<String> SMALL =
      List.of("rounds=2", "evaluation.samples=20", "evaluation.every=1");

  @TempDir static Path folder;

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      List<Path> pages = new ArrayList<>(docs.filter(p -> p.toString().endsWith(".md")).toList());
      pages.sort(null);
      pages.addFirst(ROOT.resolve("README.md"));
      return pages;
    }
  }

  private static List<String> commands(Path page) throws IOException {
    List<String> commands = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(page));
    while (block.find()) {
      for (String line : block.group(1).replace("\\\n", " ").lines().toList()) {
        String command = line.replaceAll("\\s+#.*", "").strip();
        if (command.startsWith("./grapevine ")) {
          commands.add(command.substring("./grapevine ".length()));
        }
      }
    }
    return commands;
  }

  /** The table of the README counts kinds, of which there are more every month. */
  @Test
  void theReadmeCountsWhatThereIs() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    Map<String, String> rows =
        Map.of(
            "topology", "| topologies | %d kinds",
            "data", "| data | %d sets",
            "model", "| models | %d,",
            "sharing", "| sharing | %d schemes",
            "protocol", "| protocols | %d:",
            "partition", "own CSV and pictures), %d ways to deal them");
    Registry registry = Registry.load();
    for (Map.Entry<String, String> row : rows.entrySet()) {
      int kinds = registry.kinds(registry.family(row.getKey())).size();
      assertThat(readme).contains(row.getValue().formatted(kinds));
    }
  }

  @TestFactory
  List<DynamicTest> everyCommandOfTheGuideWorks() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path page : pages()) {
      Path place = folder.resolve(page.getFileName().toString());
      for (String command : commands(page)) {
        tests.add(
            DynamicTest.dynamicTest(
                page.getFileName() + ": " + command, () -> run(command, place)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(20);
    return tests;
  }

  private static void run(String command, Path place) {
    for (Map.Entry<String, String> entry : LONG.entrySet()) {
      if (command.equals(entry.getKey()) || command.startsWith(entry.getKey() + " ")) {
        if (!List.of("test", "bench").contains(entry.getKey())) {
          Grapevine.commandLine().parseArgs(command.split(" +"));
        }
        String skipped = "skipped: ./grapevine %s (%s)".formatted(command, entry.getValue());
        System.out.println(skipped);
        Assumptions.abort(skipped);
      }
    }
    CommandRun run = CommandRun.of(moved(command, place).toArray());
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
  }

  /** The command with its files in their places and its experiments small. */
  private static List<String> moved(String command, Path place) {
    List<String> words = new ArrayList<>(List.of(command.split(" +")));
    boolean runs = words.getFirst().equals("run") || words.getFirst().equals("sweep");
    if (runs && !words.contains("--out")) {
      String name = words.get(1).replaceAll(".*/|\\.toml$", "");
      words.addAll(List.of("--out", "runs/" + name));
    }
    List<String> moved = new ArrayList<>();
    for (String word : words) {
      if (word.startsWith("examples/")) {
        moved.add(ROOT.resolve(word).toString());
      } else if (word.startsWith("runs/") || word.matches("figures|.*\\.(html|svg|png|edges)")) {
        moved.add(place.resolve(word).toString());
      } else {
        moved.add(word);
      }
    }
    if (runs) {
      SMALL.forEach(assignment -> moved.addAll(List.of("--set", assignment)));
    }
    if (words.getFirst().equals("sweep")) {
      moved.addAll(List.of("--set", "sweep.seeds=[90]"));
    }
    return moved;
  }

  @Test
  void everyLinkOfTheGuideLeadsSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)#]+?)(#[^)]*)?\\)");
    for (Path page : pages()) {
      String text = Files.readString(page).replaceAll("(?s)```.*?```", "");
      Matcher found = link.matcher(text);
      while (found.find()) {
        if (!found.group(1).contains("://")) {
          assertThat(page.resolveSibling(found.group(1))).as(page + " " + found.group()).exists();
        }
      }
    }
  }

  @Test
  void everyCommandIsMentionedInTheGuide() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path page : pages()) {
      all.append(Files.readString(page));
    }
    for (CommandLine command : Grapevine.commandLine().getSubcommands().values()) {
      assertThat(all.toString()).contains("grapevine " + command.getCommandName());
    }
  }
}
