package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Top-k by accumulated change. Version 1 adds up what training changes, version 2 also what mixing
 * changes; what is sent starts again from zero. Keeps one vector (version 1) or two.
 */
@Kind(
    name = "accumulation",
    summary = "the parameters that changed most since they were sent",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, Alg. 7 and 8")
public final class Accumulation {

  private Accumulation() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("1 counts changes by training, 2 those by mixing as well") @Default("2") int version,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {
    public Settings {
      Recipe.requireVersion(version);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .rank(Rank.accumulated(settings.version()))
        .indices(settings.indices().create())
        .build();
  }
}
