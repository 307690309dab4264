package dev.grapevine.settings;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything an experiment file can choose by name: the kinds of all {@link Catalogue}s on the
 * class path, and, through {@link #kind}, any class on it and any single {@code .java} file.
 */
public final class Registry {

  private final Map<Family<?, ?>, Map<String, KindDescription<?, ?>>> kinds = new LinkedHashMap<>();

  /** Compiled sources by path and content, so that one file is one class. */
  private final Map<String, Class<?>> compiled = new ConcurrentHashMap<>();

  private Registry(Iterable<Catalogue> catalogues) {
    for (Catalogue catalogue : catalogues) {
      Map<String, KindDescription<?, ?>> ofFamily =
          kinds.computeIfAbsent(catalogue.family(), f -> new LinkedHashMap<>());
      for (Class<?> type : catalogue.kinds()) {
        KindDescription<?, ?> kind = KindDescription.of(catalogue.family(), type);
        KindDescription<?, ?> other = ofFamily.put(kind.name(), kind);
        if (other != null && other.type() != type) {
          throw new IllegalStateException(
              "two kinds of %s have the same name: name=%s, classes=%s and %s"
                  .formatted(
                      catalogue.family().name(),
                      kind.name(),
                      other.type().getName(),
                      type.getName()));
        }
      }
    }
  }

  /** What the class path offers. */
  public static Registry load() {
    return new Registry(ServiceLoader.load(Catalogue.class));
  }

  /** Only what is given. */
  public static Registry of(List<Catalogue> catalogues) {
    return new Registry(catalogues);
  }

  public List<Family<?, ?>> families() {
    return List.copyOf(kinds.keySet());
  }

  /** A family by its name, in the singular or plural. */
  public Family<?, ?> family(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return families().stream()
        .filter(f -> f.name().equals(wanted) || plural(f.name()).equals(wanted))
        .findFirst()
        .orElseThrow(() ->
            new UserException(
                "there is no family called \"%s\"%s"
                    .formatted(
                        name, Nearest.hint(name, families().stream().map(Family::name).toList()))));
  }

  /** The plural under which a family can be asked for too. */
  public static String plural(String name) {
    if (name.endsWith("y")) {
      return name.substring(0, name.length() - 1) + "ies";
    }
    return name + "s";
  }

  /** The registered kinds of a family, in the order of its catalogues. */
  @SuppressWarnings("unchecked") // a kind is filed under its own family
  public <C, T> List<KindDescription<C, T>> kinds(Family<C, T> family) {
    List<KindDescription<C, T>> known = new ArrayList<>();
    for (KindDescription<?, ?> kind : kinds.getOrDefault(family, Map.of()).values()) {
      known.add((KindDescription<C, T>) kind);
    }
    return known;
  }

  /** The family whose things are of a type. */
  Optional<Family<?, ?>> familyOf(Class<?> type) {
    return families().stream().filter(family -> family.type() == type).findFirst();
  }

  /** A registered kind, a class on the class path, or a source file in the working directory. */
  public <C, T> KindDescription<C, T> kind(Family<C, T> family, String reference) {
    return kind(family, reference, Path.of(""));
  }

  /**
   * A kind by what an experiment file calls it.
   *
   * @param reference a registered name, a class on the class path, or the path of a {@code .java}
   *     file
   * @param directory what the path is relative to
   */
  public <C, T> KindDescription<C, T> kind(Family<C, T> family, String reference, Path directory) {
    List<KindDescription<C, T>> known = kinds(family);
    for (KindDescription<C, T> kind : known) {
      if (kind.name().equals(reference)) {
        return kind;
      }
    }
    if (reference.endsWith(".java")) {
      return ofSource(family, reference, directory);
    }
    Class<?> type = reference.indexOf('.') > 0 ? classCalled(reference) : null;
    if (type != null) {
      return KindDescription.of(family, type, reference);
    }
    throw new UserException(
        "there is no %s called \"%s\"%s"
            .formatted(
                family.name(),
                reference,
                Nearest.hint(reference, known.stream().map(KindDescription::name).toList())));
  }

  private static @Nullable Class<?> classCalled(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private <C, T> KindDescription<C, T> ofSource(
      Family<C, T> family, String reference, Path directory) {
    Path source;
    String key;
    try {
      source = directory.resolve(reference).toAbsolutePath().normalize();
      if (!Files.isRegularFile(source)) {
        throw new UserException("there is no file %s".formatted(source));
      }
      key = source + "\n" + Files.readString(source);
    } catch (IOException e) {
      throw new UserException(
          "%s cannot be read as text: %s".formatted(reference, FileProblem.reason(e)), e);
    } catch (InvalidPathException e) {
      throw new UserException("\"%s\" is not a path".formatted(reference), e);
    }
    Class<?> type = compiled.computeIfAbsent(key, k -> SourceCompiler.compile(source));
    return KindDescription.of(family, type, source.toString());
  }

  /**
   * A choice made in code.
   *
   * @param settings the lines of the kind's TOML table, such as {@code degree = 4}
   */
  public <C, T> Choice<C, T> choose(Family<C, T> family, String kind, String settings) {
    RawValue.Table table = TomlText.parse(family.name() + " " + kind, settings);
    return new Binder(this, Path.of("")).choice(kind(family, kind), table);
  }
}
