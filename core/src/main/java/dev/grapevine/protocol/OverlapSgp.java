package dev.grapevine.protocol;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * Overlap SGP: stochastic gradient push whose nodes go on training while their parts are under way.
 * A node splits (x, w) as {@link PushSum} does, sends the parts, and trains the next rounds at what
 * it kept, x/w; what others sent in round t is added at the end of round t + τ:
 *
 * <pre>
 *   (x, w) ← (x + what training at x/w changes, w)/(1 + out-degree);   send the same to each peer
 *   (x, w) ← (x, w) + Σ_j (x_j, w_j) sent τ rounds ago.</pre>
 *
 * <p>The sums of x and w over all nodes and all that is under way never change by mixing. The
 * authors' program adds what comes early at once and waits after τ steps at the latest; here a part
 * always waits for its round, so that a run is the same on every clock. The last round takes all
 * that is under way. With τ = 0 it is {@code push-sum}. One exchange a round; each node keeps one
 * more vector.
 */
@Kind(
    name = "overlap-sgp",
    summary = "stochastic gradient push that trains on while its messages travel",
    paper =
        "Assran, Loizou, Ballas, Rabbat: Stochastic Gradient Push for Distributed Deep Learning, 2019")
public final class OverlapSgp {

  private OverlapSgp() {}

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("τ, rounds after which what was sent is added, from 0 to 16") @Default("1") int delay) {

    public Settings {
      SettingException.require(
          delay >= 0 && delay <= 16, "delay", "delay must be from 0 to 16: delay=" + delay);
    }
  }

  /** Builds the protocol for one node. */
  public static Protocol create(Settings settings) {
    return new PushSum(settings.delay());
  }
}
