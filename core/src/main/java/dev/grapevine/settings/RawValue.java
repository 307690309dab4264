package dev.grapevine.settings;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A value as it was written, before it is known what it should be, with its place. */
public sealed interface RawValue {

  Place place();

  /** What the value is, in words that fit after "but is". */
  String described();

  /**
   * @param bare written without quotes (a default, or on the command line), so that it may turn out
   *     to be a number
   */
  record Text(String text, boolean bare, Place place) implements RawValue {
    @Override
    public String described() {
      return bare ? text : "the text \"" + text + "\"";
    }
  }

  /** A whole number. */
  record Whole(long value, Place place) implements RawValue {
    @Override
    public String described() {
      return Long.toString(value);
    }
  }

  /** A number with a fraction. */
  record Real(double value, Place place) implements RawValue {
    @Override
    public String described() {
      return Double.toString(value);
    }
  }

  /** True or false. */
  record Flag(boolean value, Place place) implements RawValue {
    @Override
    public String described() {
      return Boolean.toString(value);
    }
  }

  /** A date or a time, which no setting takes. */
  record Date(String text, Place place) implements RawValue {
    @Override
    public String described() {
      return "the date " + text;
    }
  }

  /** An array. */
  record Sequence(List<RawValue> items, Place place) implements RawValue {
    @Override
    public String described() {
      return "a list";
    }
  }

  /**
   * What stands under a key.
   *
   * @param layer 0 for the file, higher for what was laid over it later
   */
  record Entry(RawValue value, Place key, int layer) {}

  /** A table, in the order of the file. */
  record Table(SequencedMap<String, Entry> entries, Place place) implements RawValue {

    public Table {
      entries = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(entries));
    }

    public static Table empty(Place place) {
      return new Table(new LinkedHashMap<>(), place);
    }

    @Override
    public String described() {
      return "a table";
    }

    public Optional<RawValue> get(String key) {
      return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /** Where a key stands, or where the table does when it lacks the key. */
    public Place placeOfKey(String key) {
      Entry entry = entries.get(key);
      return entry == null ? place : entry.key();
    }

    /** The same table without one key. */
    public Table without(String key) {
      LinkedHashMap<String, Entry> rest = new LinkedHashMap<>(entries);
      rest.remove(key);
      return new Table(rest, place);
    }

    /** The same table with one key set anew. */
    public Table with(String key, Entry entry) {
      LinkedHashMap<String, Entry> all = new LinkedHashMap<>(entries);
      all.put(key, entry);
      return new Table(all, place);
    }

    /** Lays another table over this one: its keys win, and tables under the same key are merged. */
    public Table overlaid(Table over, int layer) {
      LinkedHashMap<String, Entry> all = new LinkedHashMap<>(entries);
      for (Map.Entry<String, Entry> item : over.entries().entrySet()) {
        Entry old = all.get(item.getKey());
        Entry added = item.getValue();
        RawValue value = added.value();
        if (value instanceof Table table) {
          value = below(old, table).overlaid(table, layer);
        }
        all.put(item.getKey(), new Entry(value, added.key(), layer));
      }
      return new Table(all, place);
    }

    /** A choice given by its name alone keeps the name when settings are added to it. */
    private static Table below(@Nullable Entry old, Table over) {
      Table empty = empty(over.place());
      if (old == null) {
        return empty;
      }
      return switch (old.value()) {
        case Table known -> known;
        case Text name -> empty.with("kind", old);
        default -> empty;
      };
    }
  }
}
