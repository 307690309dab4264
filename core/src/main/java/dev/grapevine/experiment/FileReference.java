package dev.grapevine.experiment;

import dev.grapevine.settings.Family;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.Section;
import dev.grapevine.settings.SettingDescription;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The reference of the experiment file, made from the code so that it cannot go stale. {@code
 * grapevine list --markdown > docs/experiment-file.md} writes it.
 */
public final class FileReference {

  private static final String INTRODUCTION =
      """
      # The experiment file

      <!-- Made from the code: grapevine list --markdown > docs/experiment-file.md -->

      An experiment is one TOML file. Everything but `name` has a default; `grapevine check FILE`
      validates a file without running it and prints it with all defaults, and `grapevine list`
      prints what stands on this page.

      - `--set key=value` on the command line sets any key anew: `--set training.rate=0.1`.
      - Numbers with units are text: `"20 ms"`, `"1.5 s"`, `"100 Mbit/s"`, `"64 KiB"`.
      - Relative paths start at the folder of the file.
      - Where a kind is chosen, the name of a class on the class path, or the path of a single
        `.java` file, works as well as a name from the lists below. The file is compiled on the fly.
      - A setting that is itself a kind is a name, or a table with a name and settings:
        `values = "zfp"` or `values = {kind = "zfp", tolerance = 0.001}`.

      """;

  private static final String OVERRIDES =
      """
      ## `[[override]]`

      Changes tables for some nodes: %s. `nodes` says for which, as in `"0-3,7"` or `"all"`; later
      overrides win over earlier ones.

      ```toml
      [[override]]
      nodes = "0-3,7"
      training.rate = 0.01
      ```

      """;

  private static final String SWEEPS =
      """
      ## `[sweep]`

      Makes many experiments of one. Each key is a dotted key in quotes with the list of values to
      try; `seeds` is the list of seeds. With `mode = "grid"`, the default, every value is combined
      with every other; with `mode = "list"` the first values of all keys belong together, then the
      second ones, and so on, each with every seed.

      ```toml
      [sweep]
      "training.rate" = [0.1, 0.01]
      seeds = [90, 91, 92]
      ```

      With `mode = "rows"` each experiment has a table of its own with a `name`, perhaps a `group`, and
      whatever it sets anew. Such a file can be ranked by `grapevine zoo`, too.

      ```toml
      [sweep]
      mode = "rows"

      [[sweep.rows]]
      name = "D-PSGD"

      [[sweep.rows]]
      name = "QG-DSGDm"
      protocol.kind = "qg-dsgdm"
      training.rate = 0.01
      ```

      Other modes search. A key then takes a list of values or a range, `{from = 0.001, to = 0.5,
      scale = "log"}`; whole numbers at both ends stand for whole numbers. `random` draws `trials`
      places (20 unless given). `halving` draws as many, trains them for a short time, keeps one in
      `eta` (3) and trains these `eta` times longer, until the last is trained for all `rounds`.
      `bayesian` draws a third at random and then, `batch` (4) at a time, places that resemble the
      best so far (a tree-structured Parzen estimator). All go by validation accuracy, or by test
      accuracy where nothing is held out, in the mean over the seeds. What is tried follows from the
      seed and the results: a search that was cut off goes on where it was.

      ```toml
      [sweep]
      mode = "bayesian"
      trials = 30
      "training.rate" = {from = 0.001, to = 0.5, scale = "log"}
      "sharing.kind" = ["full", "topk"]
      ```

      """;

  private FileReference() {}

  /** All families, those of the file's tables first. */
  public static List<Family<?, ?>> families(Registry registry) {
    Set<Family<?, ?>> families = new LinkedHashSet<>();
    for (Section section : Sections.all()) {
      section.selectors().forEach(selector -> families.add(selector.family()));
    }
    families.addAll(registry.families());
    return new ArrayList<>(families);
  }

  /** The whole page. */
  public static String markdown(Registry registry) {
    StringBuilder out = new StringBuilder(INTRODUCTION);
    out.append("## Before any table\n\n");
    settings(out, SettingDescription.of(GeneralSettings.class));
    for (Section section : Sections.all()) {
      section(out, section);
    }
    List<String> tables = Sections.perNode().stream().map(s -> "`" + s.name() + "`").toList();
    out.append(OVERRIDES.formatted(String.join(", ", tables)));
    out.append(SWEEPS);
    out.append("# What can be chosen\n\n");
    for (Family<?, ?> family : families(registry)) {
      family(out, registry, family);
    }
    return out.toString().stripTrailing() + "\n";
  }

  private static void section(StringBuilder out, Section section) {
    out.append("## `[").append(section.name()).append("]`\n\n");
    out.append(sentence(section.summary())).append("\n\n");
    for (Section.Selector selector : section.selectors()) {
      out.append(
          "- `%s` chooses a [%s](#%s)"
              .formatted(selector.key(), selector.family().name(), selector.family().name()));
      selector.kind().ifPresent(kind -> out.append("; `\"%s\"` unless given".formatted(kind)));
      out.append(". Its settings stand in this table too.\n");
    }
    if (!section.selectors().isEmpty()) {
      out.append('\n');
    }
    List<SettingDescription> fixed =
        section.records().stream().flatMap(type -> SettingDescription.of(type).stream()).toList();
    if (!fixed.isEmpty()) {
      settings(out, fixed);
    }
  }

  private static <C, T> void family(StringBuilder out, Registry registry, Family<C, T> family) {
    out.append("## ").append(family.name()).append("\n\n");
    out.append(sentence(family.summary())).append("\n\n");
    for (KindDescription<C, T> kind : registry.kinds(family)) {
      out.append("### `").append(kind.name()).append("`\n\n");
      out.append(sentence(escaped(kind.summary()))).append("\n\n");
      if (!kind.paper().isEmpty()) {
        out.append("Paper: ").append(escaped(sentence(kind.paper()))).append("\n\n");
      }
      if (!kind.settings().isEmpty()) {
        settings(out, kind.settings());
      }
    }
  }

  private static void settings(StringBuilder out, List<SettingDescription> settings) {
    out.append("| key | is | default | meaning |\n|---|---|---|---|\n");
    for (SettingDescription setting : settings) {
      String value =
          setting
              .defaultValue()
              .map(text -> "`" + text + "`")
              .orElse(setting.required() ? "must be given" : "none");
      out.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(setting.key(), escaped(setting.type()), value, escaped(setting.doc())));
    }
    out.append('\n');
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
  }

  private static String sentence(String text) {
    String capital = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    return capital.endsWith(".") ? capital : capital + ".";
  }
}
