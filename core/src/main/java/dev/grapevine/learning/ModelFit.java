package dev.grapevine.learning;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.engine.Model;
import dev.grapevine.engine.loss.CrossEntropy;

/** Whether a model, an own one above all, takes and gives what the data needs. */
public final class ModelFit {

  private ModelFit() {}

  /**
   * Passes if it does; the key {@code kind} of the table {@code [model]} is to blame if not.
   *
   * @throws dev.grapevine.settings.SettingException with both sides of the mismatch
   */
  public static void check(Model model, ModelContext data) {
    require(
        model.inputSize() == data.inputSize(),
        "kind",
        "model %s takes %d values a sample, but samples of %s have %d"
            .formatted(model.name(), model.inputSize(), data.data(), data.inputSize()));
    if (data.classes() > 0 && model.loss() instanceof CrossEntropy) {
      require(
          model.outputSize() >= data.classes(),
          "kind",
          "model %s has %d outputs, but %s has %d classes"
              .formatted(model.name(), model.outputSize(), data.data(), data.classes()));
    }
    if (data.classes() == 0) {
      require(
          !(model.loss() instanceof CrossEntropy),
          "kind",
          "model %s tells classes apart, but %s has values".formatted(model.name(), data.data()));
    }
  }
}
