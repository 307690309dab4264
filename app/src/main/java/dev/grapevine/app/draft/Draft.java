package dev.grapevine.app.draft;

import dev.grapevine.settings.Family;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.SettingDescription;
import java.util.List;
import java.util.Map;

/**
 * An experiment file with comments: what was chosen, what else there is, and what can be set, with
 * its default.
 */
final class Draft {

  private static final int WIDTH = 96;

  private final Map<Question, String> answers;
  private final Registry registry;
  private final StringBuilder text = new StringBuilder();

  private Draft(Map<Question, String> answers, Registry registry) {
    this.answers = answers;
    this.registry = registry;
  }

  /**
   * @param answers what is not answered is as usual
   */
  static String of(Map<Question, String> answers, Registry registry) {
    Draft draft = new Draft(answers, registry);
    draft.write();
    return draft.text.toString();
  }

  private void write() {
    comment("Check it:  ./grapevine check FILE    run it:  ./grapevine run FILE");
    comment("All tables, kinds and settings:  ./grapevine list  and  docs/experiment-file.md");
    line("name = \"%s\"".formatted(quoted(answer(Question.NAME))));
    line("seed = 90             # the same seed gives the same run");
    line("rounds = %s".formatted(answer(Question.ROUNDS)));
    line("");
    line("[nodes]");
    line("count = %s".formatted(answer(Question.NODES)));
    table("topology", "kind", answer(Question.TOPOLOGY));
    table("data", "set", answer(Question.DATA));
    line(
        "partition = \"iid\"     # how samples are dealt to the nodes: ./grapevine list partition");
    table("model", "kind", answer(Question.MODEL));
    line("");
    line("[training]");
    line("rate = 0.05");
    line("batch-size = 16");
    line("steps = 5             # local steps in a round");
    table("sharing", "kind", answer(Question.SHARING));
    line("");
    line("[evaluation]");
    line("every = 10            # rounds; evaluation may take longer than training");
    line("# nodes = 16          # how many nodes evaluate; all unless given");
    line("# samples = 1000      # how many test samples; all unless given");
    line("");
    line("[runtime]");
    comment("live: on the wall clock.  simulated: on a virtual clock, the same bits every time.");
    line("kind = \"%s\"".formatted(quoted(answer(Question.RUNTIME))));
  }

  private String answer(Question question) {
    return answers.getOrDefault(question, question.usual());
  }

  /** A table that holds a choice: the other kinds and the settings of this one as comments. */
  private void table(String name, String key, String kind) {
    Family<?, ?> family = registry.family(name);
    line("");
    line("[%s]".formatted(name));
    String summary = family.summary().replaceFirst("\\.$", "");
    comment(summary + "; there are: " + String.join(", ", names(family)));
    line("%s = \"%s\"".formatted(key, quoted(kind)));
    for (SettingDescription setting : registry.kind(family, kind).settings()) {
      String value = setting.defaultValue().orElse("...");
      String type =
          setting.type().startsWith("a text") || setting.type().startsWith("one of")
              ? "\"" + value + "\""
              : value;
      comment("%s = %s    %s".formatted(setting.key(), type, setting.doc()));
    }
  }

  private List<String> names(Family<?, ?> family) {
    return registry.kinds(family).stream().map(KindDescription::name).toList();
  }

  private void comment(String words) {
    StringBuilder line = new StringBuilder("#");
    for (String word : words.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        line(line.toString());
        line = new StringBuilder("#    ");
      }
      line.append(' ').append(word);
    }
    line(line.toString());
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String quoted(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
