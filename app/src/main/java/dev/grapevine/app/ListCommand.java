package dev.grapevine.app;

import dev.grapevine.experiment.FileReference;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.SettingDescription;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Documents what an experiment file can choose from. */
@Command(
    name = "list",
    description = "List what an experiment file can choose from, with settings and papers.",
    mixinStandardHelpOptions = true)
public final class ListCommand implements Subcommand, Callable<Integer> {

  private static final int WIDTH = 100;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FAMILY",
      description = "Such as topology or sharing; all families unless given.")
  private @Nullable String family;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "A kind of the family, a class, or a .java file.")
  private @Nullable String name;

  @Option(
      names = "--markdown",
      description = "Print the whole reference of the experiment file as Markdown.")
  private boolean markdown;

  @Override
  public Integer call() {
    Registry registry = Registry.load();
    PrintWriter out = spec.commandLine().getOut();
    if (markdown) {
      out.print(FileReference.markdown(registry));
    } else if (family == null) {
      families(registry, out);
    } else if (name == null) {
      kinds(registry, registry.family(family), out);
    } else {
      kind(registry.kind(registry.family(family), name), out);
    }
    out.flush();
    return 0;
  }

  private static void families(Registry registry, PrintWriter out) {
    List<Family<?, ?>> families = FileReference.families(registry);
    int width = widest(families.stream().map(Family::name).toList());
    for (Family<?, ?> family : families) {
      out.println(pad(family.name(), width) + family.summary());
      List<String> names = registry.kinds(family).stream().map(KindDescription::name).toList();
      wrapped(out, " ".repeat(width), String.join(", ", names));
    }
    out.println();
    out.println("grapevine list FAMILY        what each of them is");
    out.println("grapevine list FAMILY NAME   its settings");
  }

  private static <C, T> void kinds(Registry registry, Family<C, T> family, PrintWriter out) {
    List<KindDescription<C, T>> kinds = registry.kinds(family);
    out.println("%s: %s".formatted(family.name(), family.summary()));
    out.println();
    if (family.name().equals("model")) {
      ModelTable.print(kinds, out);
      return;
    }
    int width = widest(kinds.stream().map(KindDescription::name).toList());
    for (KindDescription<C, T> kind : kinds) {
      out.println("  " + pad(kind.name(), width) + kind.summary());
      List<String> keys = kind.settings().stream().map(SettingDescription::key).toList();
      if (!keys.isEmpty()) {
        wrapped(out, "  " + " ".repeat(width), "settings: " + String.join(", ", keys));
      }
    }
    out.println();
    out.println("grapevine list %s NAME   its settings".formatted(family.name()));
  }

  private static void kind(KindDescription<?, ?> kind, PrintWriter out) {
    out.println("%s \"%s\": %s".formatted(kind.family().name(), kind.name(), kind.summary()));
    if (!kind.paper().isEmpty()) {
      wrapped(out, "", "Paper: " + kind.paper());
    }
    out.println();
    if (kind.settings().isEmpty()) {
      out.println("  It has no settings.");
    }
    int width = widest(kind.settings().stream().map(SettingDescription::key).toList());
    for (SettingDescription setting : kind.settings()) {
      String value =
          setting
              .defaultValue()
              .map(text -> "default " + text)
              .orElse(setting.required() ? "must be given" : "may be left out");
      out.println("  " + pad(setting.key(), width) + setting.type() + "; " + value);
      if (!setting.doc().isEmpty()) {
        wrapped(out, "  " + " ".repeat(width), setting.doc());
      }
    }
  }

  private static int widest(List<String> names) {
    return 2 + names.stream().mapToInt(String::length).max().orElse(0);
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  private static void wrapped(PrintWriter out, String indent, String text) {
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + word.length() >= WIDTH) {
        out.println(line.toString().stripTrailing());
        line = new StringBuilder(indent);
      }
      line.append(word).append(' ');
    }
    out.println(line.toString().stripTrailing());
  }
}
