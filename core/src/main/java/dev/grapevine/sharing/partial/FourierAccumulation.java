package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.transform.Fourier;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Accumulation (version 2) over the complex Fourier coefficients, picked by the modulus of their
 * change; otherwise as {@link WaveletAccumulation}. Keeps two vectors of coefficients.
 */
@Kind(
    name = "fourier",
    summary = "accumulated change of Fourier coefficients",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, section 5.1 with the Fourier transform")
public final class FourierAccumulation {

  private FourierAccumulation() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {}

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .transform(new Fourier())
        .indices(settings.indices().create())
        .build();
  }
}
