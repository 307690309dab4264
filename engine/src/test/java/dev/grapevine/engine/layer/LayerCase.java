package dev.grapevine.engine.layer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A layer of layers.py, built from its name: a kind and settings such as {@code kernel=3}. */
record LayerCase(String name, String kind, Map<String, Integer> settings) {

  static LayerCase parse(String name) {
    String[] words = name.split(" ");
    Map<String, Integer> settings = new LinkedHashMap<>();
    for (String word : List.of(words).subList(1, words.length)) {
      String[] pair = word.split("=");
      settings.put(pair[0], Integer.valueOf(pair[1]));
    }
    return new LayerCase(name, words[0], settings);
  }

  int get(String key) {
    return Objects.requireNonNull(settings.get(key), () -> name + " lacks " + key);
  }

  private Shape image(String channels) {
    return new Shape.Image(get(channels), get("height"), get("width"));
  }

  /** The layer, or null if the engine has no such layer. */
  @Nullable Layer layer() {
    return switch (kind) {
      case "linear" -> new Linear(new Shape.Flat(get("in")), get("out"));
      case "relu" -> new Relu(image("channels"));
      case "embedding" ->
          new Embedding(
              new Shape.Flat(get("length")),
              get("tokens"),
              get("dimensions"),
              get("padding") < 0 ? null : get("padding"));
      case "lstm" ->
          new Lstm(
              new Shape.Sequence(get("length"), get("in")),
              get("hidden"),
              get("layers"),
              get("all") == 1);
      case "dot" ->
          new DotProduct(new Shape.Flat(2), get("users"), get("items"), get("dimensions"));
      default -> null;
    };
  }
}
