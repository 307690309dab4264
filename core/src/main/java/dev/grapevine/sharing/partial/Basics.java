package dev.grapevine.sharing.partial;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.sharing.Averaging;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.ShareCounts;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;

/** The pieces that every scheme lets the user choose. */
record Basics(Budget budget, FloatCodec codec, Averaging averaging, boolean countShares) {

  Basics(
      double alpha,
      Choice<Double, Budget> schedule,
      Choice<Void, FloatCodec> values,
      Averaging averaging,
      boolean countShares) {
    this(schedule.create(alpha), Building.create(values), averaging, countShares);
  }

  Sharing overParameters(SharingContext context, Picker picker) {
    return over(new Domain.Parameters(context.parameters().length), context, picker);
  }

  Sharing over(Domain domain, SharingContext context, Picker picker) {
    ShareCounts counts = countShares ? new ShareCounts(domain.size()) : null;
    return new PartialSharing(
        context, new PartialSharing.Pieces(domain, budget, picker, codec, averaging, counts));
  }

  /** A scheme that counts in any case, since the bound needs it. */
  Sharing bounded(
      Domain domain, SharingContext context, Gauge gauge, IndexCodec indices, double alphaLow) {
    ShareCounts counts = new ShareCounts(domain.size());
    Picker picker = new BoundedPicker(gauge, indices, alphaLow, counts, context.random());
    return new PartialSharing(
        context,
        new PartialSharing.Pieces(
            domain, budget, picker, codec, averaging, countShares ? counts : null));
  }
}
