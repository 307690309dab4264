package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.RandomBudget;
import dev.grapevine.sharing.SharingContext;
import java.util.List;
import java.util.Optional;

/**
 * JWINS: accumulation (version 2) over wavelet coefficients of four levels, with a budget drawn
 * anew by each node in each round. Keeps two vectors of coefficients. The paper compresses values
 * with fpzip without loss, which {@code values = "fpzip"} does. Where positions would cost more
 * than the values they spare, all are sent.
 */
@Kind(
    name = "jwins",
    summary = "wavelet coefficients by accumulated change, with a random share each round",
    paper =
        "Dhasade, Kermarrec, Pires, Sharma, Vujasinovic, Wigger, Get more for less in decentralized learning systems, ICDCS 2023")
public final class Jwins {

  private Jwins() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the shares to draw from, each in (0, 1]")
          @Default("[0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 1.0]")
          List<Double> alphas,
      @Doc("the wavelet's name, as PyWavelets has it") @Default("sym2") String wavelet,
      @Doc("levels of decomposition, at least 1") @Default("4") int level,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      RandomBudget.require(alphas);
      Recipe.requireWavelet(wavelet, Optional.of(level));
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .wavelet(settings.wavelet(), Optional.of(settings.level()))
        .capped(true)
        .budget(new RandomBudget(new RandomBudget.Settings(settings.alphas())))
        .indices(settings.indices().create())
        .values(settings.values().create())
        .averaging(settings.averaging())
        .counting(settings.countShares())
        .build();
  }
}
