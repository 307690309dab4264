package dev.grapevine.sharing.difference;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * CHOCO-SGD. Every node has a public replica x̂_i, at first zero or the common initial model, that
 * all its neighbours can follow:
 *
 * <pre>
 *   q_i = C(x_i − x̂_i),  x̂_i ← x̂_i + q_i,  x_i ← x_i + γ Σ_j w_ij (x̂_j − x̂_i)
 * </pre>
 *
 * <p>C must contract; an unbiased compressor of relative variance ω is scaled by 1/(1 + ω).
 * Starting at the common model, as the paper's convex experiments do, spares the first rounds, in
 * which the replicas climb from zero to the models.
 *
 * <p>With a {@code trigger} c a node that is close to its replica, ‖x_i − x̂_i‖² ≤ c, sends nothing
 * but an empty message; with momentum and several local steps that is SQuARM-SGD (Singh, Data,
 * George, Diggavi 2021), whose threshold c_t γ² with the learning rate γ is the number c here.
 *
 * <p>Preserves the mean exactly when the weights are symmetric, whatever the compressor. Keeps two
 * vectors with fixed neighbours (x̂_i and Σ_j w_ij x̂_j), or one for each neighbour and one more
 * with changing ones.
 */
@Kind(
    name = "choco",
    summary = "compressed differences to a public replica, mixed with a step size of its own",
    paper =
        "Koloskova, Stich, Jaggi, Decentralized stochastic optimization and gossip algorithms with"
            + " compressed communication, ICML 2019")
public final class Choco {

  private Choco() {}

  /** Whether the peers of a node stay the same. */
  public enum Neighbours {
    /** The topology never changes and no message is lost. */
    FIXED,
    /** Peers come and go: whoever was not sent the last difference gets the whole replica. */
    CHANGING
  }

  /** Where replicas start. */
  public enum Start {
    /** At zero: nodes may start from different models. */
    ZERO,
    /** At the initial model, which all nodes must have in common where neighbours are fixed. */
    MODEL
  }

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the step size of mixing, in (0, 1]; smaller for stronger compression") @Default("0.4")
          double gamma,
      @Doc("how differences are compressed") @Default("topk")
          Choice<SharingContext, Compressor> compressor,
      @Doc("whether the topology is fixed or changing") @Default("fixed") Neighbours neighbours,
      @Doc("with changing neighbours: send the whole replica every so many rounds; 0 for never")
          @Default("0")
          int resyncEvery,
      @Doc("where replicas start: zero, or model for the initial model, common to all nodes")
          @Default("zero")
          Start start,
      @Doc("send only when the squared distance from the replica is above this; 0 for always")
          @Default("0.0")
          double trigger) {
    public Settings {
      SettingException.require(
          gamma > 0 && gamma <= 1, "gamma", "gamma must be in (0, 1]: gamma=" + gamma);
      SettingException.require(
          resyncEvery >= 0,
          "resync-every",
          "resync-every must not be negative: resync-every=" + resyncEvery);
      SettingException.require(
          trigger >= 0 && Double.isFinite(trigger),
          "trigger",
          "trigger must not be negative: trigger=" + trigger);
    }
  }

  /** Whether a node has moved far enough from its replica to speak. */
  static boolean isFar(float[] difference, int size, double trigger) {
    if (trigger == 0) {
      return true;
    }
    double squares = 0;
    for (int i = 0; i < size; i++) {
      squares += (double) difference[i] * difference[i];
    }
    return squares > trigger;
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    Compressor compressor =
        Contracting.of(settings.compressor().create(context), context.vector().length);
    return switch (settings.neighbours()) {
      case FIXED -> new FixedChoco(settings, compressor, context);
      case CHANGING -> new ChangingChoco(settings, compressor, context);
    };
  }
}
