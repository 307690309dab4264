package dev.grapevine.sharing.partial;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Averaging;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.Sharing;
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
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      Building.version(version);
      Shares.require(alpha, "alpha");
    }
  }

  /** Builds the scheme for one node. */
  public static Sharing create(Settings settings, SharingContext context) {
    Basics basics =
        new Basics(
            settings.alpha(),
            settings.schedule(),
            settings.values(),
            settings.averaging(),
            settings.countShares());
    Domain domain = new Domain.Parameters(context.parameters().length);
    Gauge gauge = Building.accumulation(settings.version(), domain, context);
    return basics.over(
        domain, context, new ScorePicker(gauge, Building.create(settings.indices())));
  }
}
