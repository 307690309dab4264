package dev.grapevine.learning;

import dev.grapevine.engine.Model;
import dev.grapevine.engine.ModelBuilder;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.List;

/** The engine's models, to be chosen by {@code kind} in the table {@code [model]}. */
public final class ModelZoo implements Catalogue {

  public static final Family<ModelContext, Model> FAMILY =
      new Family<>("model", Model.class, ModelContext.class, "what every node trains");

  @Override
  public Family<?, ?> family() {
    return FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(Logistic.class, Mlp.class);
  }

  @Kind(name = "logistic", summary = "one linear layer: multinomial logistic regression")
  static final class Logistic {
    private Logistic() {}

    public static Model create(ModelContext data) {
      requireClasses("logistic", data);
      return Model.flat("logistic", data.inputSize()).linear(data.classes()).crossEntropy();
    }
  }

  @Kind(name = "mlp", summary = "fully connected layers with rectifiers between them")
  static final class Mlp {
    private Mlp() {}

    /** The hidden layers. */
    public record Settings(@Default("[64]") @Doc("width of each hidden layer") List<Integer> hidden) {
      public Settings {
        SettingException.require(
            hidden.stream().allMatch(width -> width >= 1 && width <= 1 << 20),
            "hidden",
            "every hidden layer must be 1 to 1048576 wide: hidden=" + hidden);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      requireClasses("mlp", data);
      ModelBuilder layers = Model.flat("mlp", data.inputSize());
      for (int width : settings.hidden) {
        layers = layers.linear(width).relu();
      }
      return layers.linear(data.classes()).crossEntropy();
    }
  }

  private static void requireClasses(String model, ModelContext data) {
    SettingException.require(
        data.classes() >= 2,
        "kind",
        "model %s needs data with classes, but %s has none".formatted(model, data.data()));
  }
}
