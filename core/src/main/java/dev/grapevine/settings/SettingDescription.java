package dev.grapevine.settings;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One key of a table, as documented to users.
 *
 * @param key as in the file: {@code shards-per-node}
 * @param type what can be written, in words
 * @param defaultValue what it is when the file is silent, as the file would write it without quotes
 * @param required whether the file must give it
 * @param doc what it means
 */
public record SettingDescription(
    String key, String type, Optional<String> defaultValue, boolean required, String doc) {

  /** The keys of a settings record, in its order. */
  public static List<SettingDescription> of(Class<? extends Record> settings) {
    List<SettingDescription> keys = new ArrayList<>();
    for (RecordComponent component : settings.getRecordComponents()) {
      if (Records.isShared(component.getType())) {
        keys.addAll(of(component.getType().asSubclass(Record.class)));
        continue;
      }
      Default value = component.getAnnotation(Default.class);
      Doc doc = component.getAnnotation(Doc.class);
      Type type = component.getGenericType();
      keys.add(
          new SettingDescription(
              KebabCase.of(component.getName()),
              SettingType.inWords(type),
              Optional.ofNullable(value).map(Default::value),
              value == null && !SettingType.isOptional(type),
              doc == null ? "" : doc.value()));
    }
    return List.copyOf(keys);
  }
}
