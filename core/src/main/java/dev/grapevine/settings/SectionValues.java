package dev.grapevine.settings;

import dev.grapevine.UserException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a table of the experiment file says, bound to its section. */
public final class SectionValues {

  private final Section section;
  private final Map<Class<?>, Record> records;
  private final Map<String, ChosenKind<?, ?>> choices;
  private final RawValue.Table origin;

  SectionValues(
      Section section,
      Map<Class<?>, Record> records,
      Map<String, ChosenKind<?, ?>> choices,
      RawValue.Table origin) {
    this.section = section;
    this.records = records;
    this.choices = choices;
    this.origin = origin;
  }

  /** One of the section's fixed records. */
  public <R extends Record> R settings(Class<R> type) {
    Record settings = records.get(type);
    if (settings == null) {
      throw new IllegalArgumentException(
          "[%s] has no %s".formatted(section.name(), type.getSimpleName()));
    }
    return type.cast(settings);
  }

  /** The kind chosen under a key that always chooses one. */
  public <C, T> Choice<C, T> choice(String key, Family<C, T> family) {
    return optionalChoice(key, family)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "[%s] chooses no %s under %s".formatted(section.name(), family.name(), key)));
  }

  /** The kind chosen under a key, if one is. */
  @SuppressWarnings("unchecked") // checked against the family
  public <C, T> Optional<Choice<C, T>> optionalChoice(String key, Family<C, T> family) {
    ChosenKind<?, ?> chosen = choices.get(key);
    if (chosen == null) {
      return Optional.empty();
    }
    if (!chosen.kind().family().equals(family)) {
      throw new IllegalArgumentException(
          "%s of [%s] is no %s".formatted(key, section.name(), family.name()));
    }
    return Optional.of((Choice<C, T>) chosen);
  }

  /** Where a key of the table was written, or the table if it was not. */
  public Place place(String key) {
    return origin.get(key).map(RawValue::place).orElse(origin.place());
  }

  /** A complaint about a key of the table, shown where the key stands. */
  public UserException mistake(SettingException complaint) {
    return Binder.mistake(origin, complaint);
  }

  /**
   * The files that the table may name: sources of own kinds, and settings that are paths or look
   * like one.
   */
  public List<Path> files() {
    List<Path> files = new ArrayList<>();
    choices.values().forEach(chosen -> addFiles(chosen, files));
    records.values().forEach(record -> addFiles(record, files));
    return files;
  }

  private static void addFiles(Object value, List<Path> files) {
    switch (value) {
      case Path path -> files.add(path);
      case String text when text.matches("[^\\x00\n]*[./][^\\x00\n]*") -> files.add(Path.of(text));
      case ChosenKind<?, ?> chosen -> {
        if (chosen.kind().reference().endsWith(".java")) {
          files.add(Path.of(chosen.kind().reference()));
        }
        addFiles(chosen.settings(), files);
      }
      case Optional<?> optional -> optional.ifPresent(inner -> addFiles(inner, files));
      case List<?> list -> list.forEach(item -> addFiles(item, files));
      case Record record -> {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
          addFiles(Records.get(record, component), files);
        }
      }
      default -> {
        // Numbers, words and switches name no file.
      }
    }
  }

  /** All keys with their values as TOML, in the order of the documentation. */
  public Map<String, String> toToml() {
    Map<String, String> lines = new LinkedHashMap<>();
    choices.forEach((key, chosen) -> lines.put(key, TomlWriter.text(chosen.kind().reference())));
    records.values().forEach(record -> lines.putAll(TomlWriter.keys(record)));
    choices.forEach((key, chosen) ->
        TomlWriter.keys(chosen.settings()).forEach((name, value) -> lines.put(name, value)));
    return lines;
  }
}
