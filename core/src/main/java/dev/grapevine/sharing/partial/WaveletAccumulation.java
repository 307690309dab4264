package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
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
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {
    public Settings {
      Recipe.requireWavelet(wavelet, level);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .wavelet(settings.wavelet(), settings.level())
        .indices(settings.indices().create())
        .build();
  }
}
