package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.SharingContext;
import java.util.Optional;

/**
 * JWINS++: bounded accumulation (version 2) over the coefficients of a complete wavelet
 * decomposition, averaged coordinate by coordinate over those who sent it; positions as Elias gamma
 * codes, values by zfp with a fixed tolerance. Keeps two vectors of coefficients and two bytes a
 * coefficient.
 *
 * <p>Z[k] ← (Z_i[k] + Σ_{j sent k} Z_j[k]) / (1 + r_k), as thesis §5.2 says; line 12 of Alg. 11
 * leaves out the node's own count.
 */
@Kind(
    name = "jwins++",
    summary = "bounded accumulation of wavelet coefficients, averaged parameter-wise",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, Alg. 11")
public final class JwinsPlusPlus {

  private JwinsPlusPlus() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the wavelet's name, as PyWavelets has it") @Default("sym2") String wavelet,
      @Doc("levels of decomposition, at least 1; as many as the model allows when left out")
          Optional<Integer> level,
      @Doc("the part of the budget kept for coordinates sent too rarely, in [0, 1)") @Default("0.2")
          double alphaLow,
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("zfp") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("parameter-wise") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      Recipe.requireWavelet(wavelet, level);
      Recipe.requireAlphaLow(alphaLow, "alpha-low");
      Shares.require(alpha, "alpha");
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .wavelet(settings.wavelet(), settings.level())
        .bounded(settings.alphaLow())
        .budget(settings.schedule().create(settings.alpha()))
        .indices(settings.indices().create())
        .values(settings.values().create())
        .averaging(settings.averaging())
        .counting(settings.countShares())
        .build();
  }
}
