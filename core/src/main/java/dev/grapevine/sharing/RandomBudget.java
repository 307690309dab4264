package dev.grapevine.sharing;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A share drawn anew by each node in each round from a list, all entries equally likely: JWINS's
 * randomized cut-off. The scheme's {@code alpha} plays no part.
 */
@Kind(
    name = "random",
    summary = "a share drawn from a list, anew for each node and round",
    paper = "Dhasade et al., Get more for less in decentralized learning systems, 2023")
public final class RandomBudget implements Budget {

  private final double[] alphas;

  /** The list that shares are drawn from. */
  public record Settings(
      @Doc("the shares to draw from, each in (0, 1]")
          @Default("[0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 1.0]")
          List<Double> alphas) {
    public Settings {
      require(alphas);
    }
  }

  /** Throws unless there are shares and each lies in (0, 1]. */
  public static void require(List<Double> alphas) {
    SettingException.require(!alphas.isEmpty(), "alphas", "alphas must not be empty");
    for (double alpha : alphas) {
      Shares.require(alpha, "alphas");
    }
  }

  public RandomBudget(Settings settings) {
    alphas = settings.alphas().stream().mapToDouble(Double::doubleValue).toArray();
  }

  @Override
  public boolean isCommon() {
    return false;
  }

  @Override
  public double share(int round, RandomGenerator random) {
    return alphas[random.nextInt(alphas.length)];
  }
}
