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
 * Accumulation (version 2) over wavelet coefficients: Z = DWT(x) takes the place of x, and x ← x +
 * DWT⁻¹(ΔZ) brings the mix back. Keeps two vectors of coefficients.
 *
 * <p>The transform is linear, so the three transforms of the algorithm need one, and the inverse. A
 * few coefficients a level at the borders are redundant; for them, and only until the next round,
 * the mixed coefficients stand in for the transform of the mixed model.
 */
@Kind(
    name = "wavelet",
    summary = "accumulated change of wavelet coefficients",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, Alg. 10")
public final class WaveletAccumulation {

  private WaveletAccumulation() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the wavelet's name, as PyWavelets has it") @Default("sym2") String wavelet,
      @Doc("levels of decomposition, at least 1; as many as the model allows when left out")
          Optional<Integer> level,
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      Recipe.requireWavelet(wavelet, level);
      Shares.require(alpha, "alpha");
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .wavelet(settings.wavelet(), settings.level())
        .budget(settings.schedule().create(settings.alpha()))
        .indices(settings.indices().create())
        .values(settings.values().create())
        .averaging(settings.averaging())
        .counting(settings.countShares())
        .build();
  }
}
