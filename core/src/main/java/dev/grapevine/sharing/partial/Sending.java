package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SharedSettings;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.SharingContext;

/** How much a short form sends, how its values travel and how they are averaged. */
@SharedSettings
record Sending(
    @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
    @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
    @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
    @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
    @Doc("whether to count how often each coordinate is sent") @Default("false")
        boolean countShares) {

  Sending {
    Shares.require(alpha, "alpha");
  }

  /** A recipe that says so much already. */
  Recipe recipe(SharingContext context) {
    return new Recipe(context)
        .budget(schedule.create(alpha))
        .values(values.create())
        .averaging(averaging)
        .counting(countShares);
  }
}
