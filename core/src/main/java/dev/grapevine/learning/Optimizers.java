package dev.grapevine.learning;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.engine.Adam;
import dev.grapevine.engine.AdamW;
import dev.grapevine.engine.Optimizer;
import dev.grapevine.engine.Sgd;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;
import java.util.List;

/** The engine's optimizers, to be chosen by {@code optimizer} in the table {@code [training]}. */
public final class Optimizers implements Catalogue {

  public static final Family<Void, Optimizer> FAMILY =
      new Family<>(
          "optimizer", Optimizer.class, Void.class, "how a gradient changes the parameters");

  @Override
  public Family<?, ?> family() {
    return FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(SgdKind.class, AdamKind.class, AdamWKind.class);
  }

  @Kind(name = "sgd", summary = "stochastic gradient descent, plain or with momentum")
  static final class SgdKind {
    private SgdKind() {}

    /** As in PyTorch. */
    public record Settings(
        @Default("0") @Doc("share of the last change that is kept, from 0 to below 1")
            double momentum,
        @Default("false") @Doc("look ahead along the momentum") boolean nesterov,
        @Default("0") @Doc("L2 penalty added to the gradient, at least 0") double weightDecay) {
      public Settings {
        requireBelowOne("momentum", momentum);
        requireWeightDecay(weightDecay);
        require(
            !nesterov || momentum > 0,
            "nesterov",
            "nesterov needs momentum: momentum=0.0; set it (0.9 is usual) or leave out nesterov");
      }
    }

    public static Optimizer create(Settings settings) {
      return new Sgd(settings.momentum, settings.nesterov, settings.weightDecay);
    }
  }

  @Kind(
      name = "adam",
      summary = "steps scaled by running means of the gradient and its square",
      paper = "Kingma, Ba: Adam: A Method for Stochastic Optimization, ICLR 2015")
  static final class AdamKind {
    private AdamKind() {}

    /** As in PyTorch. */
    public record Settings(
        @Default("0.9") @Doc("decay of the mean of gradients, from 0 to below 1") double beta1,
        @Default("0.999") @Doc("decay of the mean of squared gradients, from 0 to below 1")
            double beta2,
        @Default("1e-8") @Doc("keeps the quotient finite, at least 0") double epsilon,
        @Default("0") @Doc("L2 penalty added to the gradient, at least 0") double weightDecay) {
      public Settings {
        requireMoments(beta1, beta2, epsilon);
        requireWeightDecay(weightDecay);
      }
    }

    public static Optimizer create(Settings settings) {
      return new Adam(settings.beta1, settings.beta2, settings.epsilon, settings.weightDecay);
    }
  }

  @Kind(
      name = "adamw",
      summary = "Adam with weight decay apart from the gradient",
      paper = "Loshchilov, Hutter: Decoupled Weight Decay Regularization, ICLR 2019")
  static final class AdamWKind {
    private AdamWKind() {}

    /** As in PyTorch. */
    public record Settings(
        @Default("0.9") @Doc("decay of the mean of gradients, from 0 to below 1") double beta1,
        @Default("0.999") @Doc("decay of the mean of squared gradients, from 0 to below 1")
            double beta2,
        @Default("1e-8") @Doc("keeps the quotient finite, at least 0") double epsilon,
        @Default("0.01") @Doc("share of a parameter taken off per step and rate, at least 0")
            double weightDecay) {
      public Settings {
        requireMoments(beta1, beta2, epsilon);
        requireWeightDecay(weightDecay);
      }
    }

    public static Optimizer create(Settings settings) {
      return new AdamW(settings.beta1, settings.beta2, settings.epsilon, settings.weightDecay);
    }
  }

  private static void requireMoments(double beta1, double beta2, double epsilon) {
    requireBelowOne("beta1", beta1);
    requireBelowOne("beta2", beta2);
    require(epsilon >= 0, "epsilon", "epsilon must not be negative: epsilon=" + epsilon);
  }

  private static void requireBelowOne(String key, double value) {
    require(
        value >= 0 && value < 1,
        key,
        "%s must be at least 0 and below 1: %s=%s".formatted(key, key, value));
  }

  private static void requireWeightDecay(double value) {
    require(
        value >= 0 && Double.isFinite(value),
        "weight-decay",
        "weight-decay must not be negative: weight-decay=" + value);
  }
}
