package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.settings.BareText;
import dev.grapevine.settings.Binder;
import dev.grapevine.settings.Nearest;
import dev.grapevine.settings.Place;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.RawValue.Entry;
import dev.grapevine.settings.RawValue.Table;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.Section;
import dev.grapevine.settings.SectionValues;
import dev.grapevine.settings.SettingDescription;
import dev.grapevine.topology.NodeSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An experiment's raw values with what was laid over them.
 *
 * @param directory where relative paths start
 * @param root the whole file
 * @param layers how often something was laid over it
 */
record Document(Registry registry, Path directory, Table root, int layers) {

  static final String OVERRIDE = "override";
  static final String SWEEP = "sweep";

  Document(Registry registry, Path directory, Table root) {
    this(registry, directory, root, 0);
  }

  Document laidOver(Table over) {
    return new Document(registry, directory, root.overlaid(over, layers + 1), layers + 1);
  }

  /** The same document with {@code key=value} pairs set anew. */
  Document with(List<String> assignments) {
    Document changed = this;
    for (String assignment : assignments) {
      changed = changed.laidOver(assigned(assignment));
    }
    return changed;
  }

  private static Table assigned(String assignment) {
    String option = "--set ";
    String text = option + assignment;
    int equals = assignment.indexOf('=');
    String dotted = equals < 0 ? assignment : assignment.substring(0, equals);
    Place key = new Place("--set", 0, option.length() + 1, Math.max(1, dotted.length()), text);
    if (equals < 0) {
      throw key.mistake("a key and its value are needed, such as training.rate=0.1");
    }
    String written = assignment.substring(equals + 1);
    Place place =
        new Place(
            "--set", 0, option.length() + equals + 2, Math.max(1, written.strip().length()), text);
    RawValue value = BareText.parse(written, place);
    return nested(dotted, value, key);
  }

  /** A value under a dotted key, as a table in tables. */
  static Table nested(String dotted, RawValue innermost, Place key) {
    RawValue value = innermost;
    String[] parts = dotted.strip().split("\\.", -1);
    for (int i = parts.length - 1; i >= 0; i--) {
      if (parts[i].isBlank()) {
        throw key.mistake("the key is incomplete; write it like training.rate=0.1");
      }
      value = Table.empty(key).with(parts[i].strip(), new Entry(value, key, 0));
    }
    return (Table) value;
  }

  Document withoutSweep() {
    return new Document(registry, directory, root.without(SWEEP), layers);
  }

  private Binder binder() {
    return new Binder(registry, directory);
  }

  GeneralSettings general() {
    Table rest = root.without(OVERRIDE).without(SWEEP);
    List<String> names = Sections.all().stream().map(Section::name).toList();
    for (String name : names) {
      rest = rest.without(name);
    }
    List<String> keys = new ArrayList<>();
    SettingDescription.of(GeneralSettings.class).forEach(setting -> keys.add(setting.key()));
    List<String> tables = new ArrayList<>(names);
    tables.add(OVERRIDE);
    tables.add(SWEEP);
    for (Map.Entry<String, Entry> entry : rest.entries().entrySet()) {
      if (!keys.contains(entry.getKey())) {
        throw unknown(entry.getKey(), entry.getValue(), keys, tables);
      }
    }
    return binder().bind(GeneralSettings.class, rest, "");
  }

  private static UserException unknown(
      String name, Entry entry, List<String> keys, List<String> tables) {
    boolean isTable = entry.value() instanceof Table;
    if (!isTable && Nearest.to(name, keys).isEmpty()) {
      for (Section section : Sections.all()) {
        boolean belongs =
            section.records().stream()
                .flatMap(type -> SettingDescription.of(type).stream())
                .anyMatch(setting -> setting.key().equals(name));
        if (belongs) {
          return entry
              .key()
              .mistake("\"%s\" belongs below the line [%s]".formatted(name, section.name()));
        }
      }
    }
    return entry
        .key()
        .mistake(
            isTable
                ? "there is no table [%s]%s".formatted(name, Nearest.hint(name, tables))
                : "there is no key \"%s\" outside of tables%s"
                    .formatted(name, Nearest.hint(name, keys)));
  }

  Map<String, SectionValues> sections() {
    Map<String, SectionValues> bound = new LinkedHashMap<>();
    for (Section section : Sections.all()) {
      bound.put(section.name(), binder().bind(section, table(section.name())));
    }
    return bound;
  }

  /** One table as if the file were silent about it. */
  SectionValues withDefaults(String name) {
    for (Section section : Sections.all()) {
      if (section.name().equals(name)) {
        return binder().bind(section, Table.empty(root.place()));
      }
    }
    throw new IllegalArgumentException("there is no table [%s]".formatted(name));
  }

  Table table(String name) {
    RawValue value = root.get(name).orElse(null);
    if (value == null) {
      return Table.empty(root.place());
    }
    if (value instanceof Table table) {
      return table;
    }
    throw value
        .place()
        .mistake("%s is a table; write a line [%s] and its keys below".formatted(name, name));
  }

  List<NodeOverride> overrides(int count) {
    RawValue value = root.get(OVERRIDE).orElse(null);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof RawValue.Sequence list)) {
      throw value.place().mistake("override is a list of tables; write a line [[override]]");
    }
    List<NodeOverride> overrides = new ArrayList<>();
    for (RawValue item : list.items()) {
      if (!(item instanceof Table table)) {
        throw item.place().mistake("override is a list of tables; write a line [[override]]");
      }
      overrides.add(override(table, count));
    }
    return List.copyOf(overrides);
  }

  private static NodeOverride override(Table table, int count) {
    RawValue nodes = table.get("nodes").orElse(null);
    if (nodes == null) {
      throw table
          .place()
          .mistake("[[override]] does not say for which nodes; add a line nodes = \"0-3,7\"");
    }
    if (!(nodes instanceof RawValue.Text text)) {
      throw nodes
          .place()
          .mistake("override.nodes must be a text such as \"0-3,7\", but is " + nodes.described());
    }
    NodeSet set;
    try {
      set = NodeSet.parse(text.text(), count);
    } catch (IllegalArgumentException e) {
      throw nodes.place().mistake(String.valueOf(e.getMessage()));
    }
    Table changes = table.without("nodes");
    changes.entries().forEach(Document::requirePerNode);
    return new NodeOverride(set, changes);
  }

  private static void requirePerNode(String name, Entry entry) {
    List<String> allowed = Sections.perNode().stream().map(Section::name).toList();
    if (!allowed.contains(name)) {
      boolean isSection = Sections.all().stream().anyMatch(section -> section.name().equals(name));
      throw entry
          .key()
          .mistake(
              isSection
                  ? "[%s] holds for all nodes; an override can change %s"
                      .formatted(name, String.join(", ", allowed))
                  : "an override cannot change \"%s\"%s"
                      .formatted(name, Nearest.hint(name, allowed)));
    }
    if (!(entry.value() instanceof Table)) {
      throw entry
          .value()
          .place()
          .mistake("%s is a table; write a key of it, such as %s.key = ...".formatted(name, name));
    }
  }

  /** The document without overrides but with the given ones laid over it. */
  Document overridden(List<NodeOverride> overrides) {
    Document plain =
        new Document(registry, directory, root.without(OVERRIDE).without(SWEEP), layers);
    for (NodeOverride override : overrides) {
      plain = plain.laidOver(override.changes());
    }
    return plain;
  }
}
