package dev.grapevine.results;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the run directory has it: indented, keys in the order given. */
final class Json {

  static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  static String text(Map<String, ? extends @Nullable Object> values) {
    return MAPPER.writeValueAsString(values) + "\n";
  }

  /** JSON has no NaN; what is not known is null. */
  static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
