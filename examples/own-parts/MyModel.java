import dev.grapevine.engine.Model;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;

/** An own model in one file: two hidden layers. Inputs and classes are those of the data. */
public final class MyModel {

  /** The keys of the table [model] next to {@code kind}. */
  public record Settings(@Doc("units in each hidden layer") @Default("24") int hidden) {}

  private MyModel() {}

  public static Model create(Settings settings, ModelContext data) {
    return Model.flat("my-model", data.inputSize())
        .linear(settings.hidden())
        .tanh()
        .linear(settings.hidden())
        .tanh()
        .linear(data.classes())
        .crossEntropy();
  }
}
