package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * An INI file whose keys are taken out one by one, so that in the end those that nobody knew are
 * left. Section names are compared without regard to case.
 */
final class IniFile {

  private final SequencedMap<String, SequencedMap<String, String>> sections;

  private IniFile(SequencedMap<String, SequencedMap<String, String>> sections) {
    this.sections = sections;
  }

  static IniFile read(Path file) {
    try {
      return parse(file, Files.readAllLines(file));
    } catch (NoSuchFileException e) {
      throw new UserException("there is no file " + file + ": check the path", e);
    } catch (MalformedInputException e) {
      throw new UserException(file + " is not a text file: give a config.ini", e);
    } catch (IOException e) {
      throw new UserException("cannot read " + file + ": " + FileProblem.reason(e), e);
    }
  }

  private static IniFile parse(Path file, List<String> lines) {
    SequencedMap<String, SequencedMap<String, String>> sections = new LinkedHashMap<>();
    SequencedMap<String, String> section = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("(^|\\s)[;#].*$", "").strip();
      int equals = line.indexOf('=');
      if (line.startsWith("[") && line.endsWith("]")) {
        String name = line.substring(1, line.length() - 1).strip().toUpperCase(Locale.ROOT);
        section = sections.computeIfAbsent(name, n -> new LinkedHashMap<>());
      } else if (equals > 0 && !sections.isEmpty()) {
        section.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      } else if (!line.isEmpty()) {
        throw new UserException(
            String.format(
                Locale.ROOT,
                "%s:%d: neither a [SECTION] nor a 'key = value' inside one: found '%s'",
                file,
                i + 1,
                line));
      }
    }
    return new IniFile(sections);
  }

  /** Takes out a key; empty when it is not there or has no value. */
  Optional<String> take(String section, String key) {
    SequencedMap<String, String> keys = sections.get(section);
    return Optional.ofNullable(keys == null ? null : keys.remove(key))
        .filter(value -> !value.isEmpty());
  }

  /** The same without taking it out. */
  Optional<String> peek(String section, String key) {
    SequencedMap<String, String> keys = sections.get(section);
    return Optional.ofNullable(keys == null ? null : keys.get(key))
        .filter(value -> !value.isEmpty());
  }

  boolean takeFlag(String section, String key, boolean otherwise) {
    return take(section, key).map(value -> value.equalsIgnoreCase("true")).orElse(otherwise);
  }

  /** What was not taken, as {@code SECTION.key = value}. */
  List<String> left() {
    return sections.entrySet().stream()
        .flatMap(section ->
            section.getValue().entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(e -> section.getKey() + "." + e.getKey() + " = " + e.getValue()))
        .toList();
  }
}
