package dev.grapevine.settings;

import dev.grapevine.UserException;
import dev.grapevine.settings.RawValue.Entry;
import dev.grapevine.settings.RawValue.Table;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns tables of raw values into settings records. Every mistake (an unknown key, a missing one, a
 * wrong type, a value out of range) becomes a {@link UserException} that shows where it stands and
 * says what would be right.
 */
public final class Binder {

  private final Registry registry;
  private final Path directory;

  /**
   * @param directory what relative paths in the settings are relative to
   */
  public Binder(Registry registry, Path directory) {
    this.registry = registry;
    this.directory = directory;
  }

  /** Binds a whole table to one record. */
  public <R extends Record> R bind(Class<R> type, Table table, String name) {
    refuseUnknown(table, keys(type), "[" + name + "]", List.of());
    return record(type, table, name);
  }

  /** Binds a section's table: chooses its kinds, then binds everything that shares the table. */
  public SectionValues bind(Section section, Table given) {
    Table table = withDefaults(section, given);
    Map<String, KindDescription<?, ?>> kinds = new LinkedHashMap<>();
    Map<String, Table> tables = new LinkedHashMap<>();
    Set<String> known = new LinkedHashSet<>();
    for (Section.Selector selector : section.selectors()) {
      known.add(selector.key());
      RawValue value = table.get(selector.key()).orElse(null);
      if (value == null && selector.kind().isEmpty()) {
        continue;
      }
      KindDescription<?, ?> kind =
          value == null
              ? registry.kind(selector.family(), selector.kind().orElseThrow(), directory)
              : kind(
                  selector.family(),
                  value,
                  section.name() + "." + selector.key(),
                  selector.kind().orElse(""));
      kinds.put(selector.key(), kind);
      if (value instanceof Table own) {
        tables.put(selector.key(), own.without("kind"));
      } else {
        kind.settingsType().ifPresent(type -> known.addAll(keys(type)));
      }
    }
    section.records().forEach(type -> known.addAll(keys(type)));
    Table kept = withoutOutdated(section, table, known);
    refuseUnknown(kept, known, "[" + section.name() + "]", kinds.values());

    Map<Class<?>, Record> records = new LinkedHashMap<>();
    for (Class<? extends Record> type : section.records()) {
      records.put(type, record(type, kept, section.name()));
    }
    Map<String, ChosenKind<?, ?>> choices = new LinkedHashMap<>();
    kinds.forEach((key, kind) -> {
      Table own = tables.get(key);
      choices.put(
          key,
          own == null
              ? chosen(kind, kept, section.name())
              : choice(kind, own, section.name() + "." + key));
    });
    return new SectionValues(section, records, choices, kept);
  }

  /** A kind with its settings from a table that holds nothing else. */
  <C, T> ChosenKind<C, T> choice(KindDescription<C, T> kind, Table table) {
    return choice(kind, table, kind.family().name());
  }

  private <C, T> ChosenKind<C, T> choice(KindDescription<C, T> kind, Table table, String path) {
    refuseUnknown(
        table,
        kind.settingsType().map(Binder::keys).orElse(Set.of()),
        kind.family().name() + " \"" + kind.name() + "\"",
        List.of(kind));
    return chosen(kind, table, path);
  }

  private <C, T> ChosenKind<C, T> chosen(KindDescription<C, T> kind, Table table, String path) {
    Record settings =
        kind.settingsType().isPresent()
            ? record(kind.settingsType().get(), table, path)
            : new Records.None();
    return new ChosenKind<>(kind, settings, table);
  }

  /** What holds by default for a kind the file does not choose lies under what the file says. */
  private static Table withDefaults(Section section, Table given) {
    Table table = given;
    for (Section.Selector selector : section.selectors()) {
      if (!given.entries().containsKey(selector.key()) && !selector.settings().isEmpty()) {
        Table defaults = TomlText.parse("default of [" + section.name() + "]", selector.settings());
        table = new Table(defaults.overlaid(table, 0).entries(), given.place());
        for (Map.Entry<String, Entry> entry : given.entries().entrySet()) {
          table = table.with(entry.getKey(), entry.getValue());
        }
      }
    }
    return table;
  }

  /**
   * When a later layer chooses another kind, the settings that an earlier layer gave for the old
   * kind no longer apply.
   */
  private static Table withoutOutdated(Section section, Table table, Set<String> known) {
    int chosenIn =
        section.selectors().stream()
            .map(selector -> table.entries().get(selector.key()))
            .mapToInt(entry -> entry == null ? 0 : entry.layer())
            .max()
            .orElse(0);
    Table kept = table;
    for (Map.Entry<String, Entry> entry : table.entries().entrySet()) {
      if (!known.contains(entry.getKey()) && entry.getValue().layer() < chosenIn) {
        kept = kept.without(entry.getKey());
      }
    }
    return kept;
  }

  /**
   * @param silent the kind of a table that does not name one, or empty
   */
  private KindDescription<?, ?> kind(
      Family<?, ?> family, RawValue value, String path, String silent) {
    RawValue name = value;
    if (value instanceof Table table) {
      if (!table.entries().containsKey("kind") && silent.isEmpty()) {
        throw table
            .place()
            .mistake("%s lacks its kind; write {kind = \"...\", ...}".formatted(path));
      }
      name = table.get("kind").orElse(new RawValue.Text(silent, true, table.place()));
    }
    if (!(name instanceof RawValue.Text text)) {
      throw name.place()
          .mistake(
              "%s must be the name of a %s in quotes, but is %s"
                  .formatted(path, family.name(), name.described()));
    }
    try {
      return registry.kind(family, text.text(), directory);
    } catch (UserException e) {
      throw new UserException(name.place().describe(String.valueOf(e.getMessage())), e);
    }
  }

  private void refuseUnknown(
      Table table,
      Collection<String> known,
      String where,
      Collection<KindDescription<?, ?>> kinds) {
    for (Map.Entry<String, Entry> entry : table.entries().entrySet()) {
      String key = entry.getKey();
      if (!known.contains(key)) {
        throw entry
            .getValue()
            .key()
            .mistake(
                "%s has no key \"%s\"%s%s"
                    .formatted(where, key, forKinds(kinds), hint(key, known, kinds)));
      }
    }
  }

  private static String forKinds(Collection<KindDescription<?, ?>> kinds) {
    return kinds.isEmpty()
        ? ""
        : kinds.stream()
            .map(kind -> kind.family().name() + " \"" + kind.name() + "\"")
            .collect(Collectors.joining(" and ", " with ", ""));
  }

  private String hint(
      String key, Collection<String> known, Collection<KindDescription<?, ?>> kinds) {
    if (Nearest.to(key, known).isEmpty()) {
      for (KindDescription<?, ?> kind : kinds) {
        List<String> owners =
            registry.kinds(kind.family()).stream()
                .filter(other -> other.settings().stream().anyMatch(s -> s.key().equals(key)))
                .map(other -> "\"" + other.name() + "\"")
                .toList();
        if (!owners.isEmpty()) {
          return "; it belongs to %s %s".formatted(kind.family().name(), String.join(", ", owners));
        }
      }
    }
    return Nearest.hint(key, known);
  }

  private static Set<String> keys(Class<? extends Record> type) {
    Set<String> keys = new LinkedHashSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (Records.isShared(component.getType())) {
        keys.addAll(keys(component.getType().asSubclass(Record.class)));
      } else {
        keys.add(KebabCase.of(component.getName()));
      }
    }
    return keys;
  }

  private <R extends Record> R record(Class<R> type, Table table, String path) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = component(components[i], table, path);
    }
    try {
      return Records.make(type, values);
    } catch (SettingException e) {
      throw mistake(table, e);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UserException(table.place().describe(String.valueOf(e.getMessage())), e);
    }
  }

  /** Adds to a setting's own complaint where the setting stands. */
  static UserException mistake(Table table, SettingException e) {
    Place place = table.place();
    RawValue at = table;
    for (String key : e.key().split("\\.", -1)) {
      RawValue next = at instanceof Table inner ? inner.get(key).orElse(null) : null;
      if (next == null) {
        break;
      }
      place = next.place();
      at = next;
    }
    return new UserException(place.describe(String.valueOf(e.getMessage())), e);
  }

  private Object component(RecordComponent component, Table table, String path) {
    if (Records.isShared(component.getType())) {
      return record(component.getType().asSubclass(Record.class), table, path);
    }
    String key = KebabCase.of(component.getName());
    Type type = component.getGenericType();
    String full = path.isEmpty() ? key : path + "." + key;
    Optional<RawValue> given = table.get(key);
    if (given.isPresent()) {
      return value(type, given.get(), full, component.getAnnotation(Default.class));
    }
    Default silent = component.getAnnotation(Default.class);
    if (silent != null) {
      Place place = Place.named("default of " + full);
      return value(type, BareText.parse(silent.value(), place), full, null);
    }
    Object absent = absent(SettingType.raw(type));
    if (absent != null) {
      return absent;
    }
    Doc doc = component.getAnnotation(Doc.class);
    throw table
        .place()
        .mistake(
            "%s is missing%s; it is %s"
                .formatted(
                    full, doc == null ? "" : " (" + doc.value() + ")", SettingType.inWords(type)));
  }

  private static @Nullable Object absent(Class<?> type) {
    if (type == Optional.class) {
      return Optional.empty();
    }
    if (type == OptionalInt.class) {
      return OptionalInt.empty();
    }
    if (type == OptionalLong.class) {
      return OptionalLong.empty();
    }
    return type == OptionalDouble.class ? OptionalDouble.empty() : null;
  }

  private Object value(Type type, RawValue given, String path, @Nullable Default silent) {
    Class<?> raw = SettingType.raw(type);
    if (raw == Optional.class) {
      return Optional.of(value(SettingType.argument(type, 0), given, path, silent));
    }
    if (raw == List.class) {
      return list(type, given, path);
    }
    if (raw == Choice.class) {
      return nestedChoice(type, given, path, silent);
    }
    if (raw.isRecord() && raw != Bandwidth.class && raw != DataSize.class) {
      if (!(given instanceof Table table)) {
        throw given
            .place()
            .mistake(
                "%s must be a table with the keys %s, but is %s"
                    .formatted(
                        path,
                        String.join(", ", keys(raw.asSubclass(Record.class))),
                        given.described()));
      }
      return bind(raw.asSubclass(Record.class), table, path);
    }
    return Scalars.convert(raw, given, path, directory);
  }

  private List<Object> list(Type type, RawValue given, String path) {
    if (!(given instanceof RawValue.Sequence sequence)) {
      throw given
          .place()
          .mistake(
              "%s must be %s, but is %s; put it in square brackets: [%s]"
                  .formatted(
                      path, SettingType.inWords(type), given.described(), given.place().written()));
    }
    List<Object> items = new ArrayList<>();
    for (RawValue item : sequence.items()) {
      items.add(value(SettingType.argument(type, 0), item, path + "[" + items.size() + "]", null));
    }
    return List.copyOf(items);
  }

  private ChosenKind<?, ?> nestedChoice(
      Type type, RawValue given, String path, @Nullable Default silent) {
    Class<?> wanted = SettingType.raw(SettingType.argument(type, 1));
    Family<?, ?> family =
        registry
            .familyOf(wanted)
            .orElseThrow(() ->
                new IllegalStateException(
                    "no catalogue lists any %s, which %s chooses from"
                        .formatted(wanted.getName(), path)));
    KindDescription<?, ?> kind = kind(family, given, path, defaultKind(silent));
    Table settings =
        given instanceof Table table ? table.without("kind") : Table.empty(given.place());
    return choice(kind, settings, path);
  }

  private static String defaultKind(@Nullable Default silent) {
    return silent == null || silent.value().startsWith("{") ? "" : silent.value();
  }
}
