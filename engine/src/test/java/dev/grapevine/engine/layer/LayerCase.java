package dev.grapevine.engine.layer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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

  private Shape.Image image(String channels) {
    return new Shape.Image(get(channels), get("height"), get("width"));
  }

  private After after() {
    return switch (settings.getOrDefault("after", 0)) {
      case 0 -> After.NOTHING;
      case 1 -> After.RELU;
      default -> After.RELU_POOL;
    };
  }

  Layer layer() {
    return switch (kind) {
      case "linear" -> new Linear(new Shape.Flat(get("in")), get("out"));
      case "conv2d" ->
          new Conv2d(
              image("in"),
              get("out"),
              get("kernel"),
              get("stride"),
              get("pad"),
              get("bias") == 1,
              Convolution.DIRECT);
      case "groupnorm" -> new GroupNorm(image("channels"), get("groups"), after());
      case "batchnorm" -> new BatchNorm2d(image("channels"), after());
      case "relu" -> new Relu(image("channels"));
      case "relupool" -> new ReluPool(image("channels"));
      case "tanh" -> new Tanh(image("channels"));
      case "sigmoid" -> new Sigmoid(image("channels"));
      case "maxpool" -> new MaxPool2d(image("channels"), get("kernel"), get("stride"), get("pad"));
      case "avgpool" -> new AvgPool2d(image("channels"), get("kernel"), get("stride"));
      case "globalavgpool" -> new GlobalAvgPool(image("channels"));
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
      default -> throw new IllegalStateException("no such layer: " + name);
    };
  }
}
