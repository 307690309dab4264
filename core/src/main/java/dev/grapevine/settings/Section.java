package dev.grapevine.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One table of the experiment file: fixed settings, and kinds chosen by a key whose settings stand
 * in the same table.
 *
 * @param name the table's name
 * @param summary one sentence for the documentation
 * @param records the fixed settings
 * @param selectors the keys that choose a kind
 */
public record Section(
    String name, String summary, List<Class<? extends Record>> records, List<Selector> selectors) {

  /**
   * A key that chooses a kind.
   *
   * @param key such as {@code kind} or {@code optimizer}
   * @param family what can be chosen from
   * @param kind what is chosen when the file is silent; nothing when empty
   * @param settings TOML lines that hold when the file does not choose
   */
  public record Selector(String key, Family<?, ?> family, Optional<String> kind, String settings) {}

  public Section {
    records = List.copyOf(records);
    selectors = List.copyOf(selectors);
  }

  public static Section of(String name, String summary) {
    return new Section(name, summary, List.of(), List.of());
  }

  /** The same section with fixed settings. */
  public Section settings(Class<? extends Record> type) {
    List<Class<? extends Record>> more = new ArrayList<>(records);
    more.add(type);
    return new Section(name, summary, more, selectors);
  }

  /** The same section with a kind to choose. */
  public Section choice(String key, Family<?, ?> family, String kind) {
    return choice(key, family, kind, "");
  }

  /** The same section with a kind to choose, and the settings of the one chosen by default. */
  public Section choice(String key, Family<?, ?> family, String kind, String settings) {
    return selector(new Selector(key, family, Optional.of(kind), settings));
  }

  private Section selector(Selector selector) {
    List<Selector> more = new ArrayList<>(selectors);
    more.add(selector);
    return new Section(name, summary, records, more);
  }
}
