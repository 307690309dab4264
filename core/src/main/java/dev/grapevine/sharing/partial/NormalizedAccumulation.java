package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Normalized accumulation: top-k by |v| / (|x| + ε) with v the accumulated change of {@link
 * Accumulation}. Keeps as many vectors as that.
 */
@Kind(
    name = "normalized",
    summary = "accumulated change in relation to magnitude",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, section 5.0.4")
public final class NormalizedAccumulation {

  private NormalizedAccumulation() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("added to a coordinate's magnitude before dividing by it, above 0") @Default("0.01")
          double epsilon,
      @Doc("1 counts changes by training, 2 those by mixing as well") @Default("2") int version,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {
    public Settings {
      SettingException.require(
          epsilon > 0, "epsilon", "epsilon must be above 0: epsilon=" + epsilon);
      Recipe.requireVersion(version);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .rank(Rank.accumulated(settings.version()))
        .normalized(settings.epsilon())
        .indices(settings.indices().create())
        .build();
  }
}
