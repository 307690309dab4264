package dev.grapevine.sharing.difference;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * ECSD-SGD: {@link DcdPsgd} that makes up for what compression leaves out, and mixes with a step
 * size of its own, as CHOCO does:
 *
 * <pre>
 *   z_i = γ (Σ_j w_ij x_j − x_i) + u_i + e_i,  x_i ← x_i + C(z_i),  e_i ← z_i − C(z_i)
 * </pre>
 *
 * where u_i is what training changed at x_i. C must contract, as top-k does; an unbiased compressor
 * of relative variance ω is scaled by 1/(1 + ω). The mean of x + e is preserved when the weights
 * are symmetric. All nodes must start from the same parameters. Keeps three vectors.
 *
 * <p>Written from the thesis's description (section 2.3.2); the paper itself was not at hand.
 */
@Kind(
    name = "ecsd",
    summary = "ECSD-SGD: compressed differences whose errors are made up for later",
    paper =
        "Wang, Guo, Qu, Li, Liu, Error-compensated sparsification for communication-efficient"
            + " decentralized training in edge environment, IEEE TPDS 2022")
public final class EcsdSgd {

  private EcsdSgd() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the step size of mixing, in (0, 1]; smaller for stronger compression") @Default("0.2")
          double gamma,
      @Doc("how differences are compressed") @Default("topk")
          Choice<SharingContext, Compressor> compressor) {
    public Settings {
      SettingException.require(
          gamma > 0 && gamma <= 1, "gamma", "gamma must be in (0, 1]: gamma=" + gamma);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    Compressor compressor =
        Contracting.of(settings.compressor().create(context), context.vector().length);
    return DcdPsgd.compensated(compressor, "ecsd", settings.gamma(), context);
  }
}
