package dev.grapevine.sharing.partial;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.Encoding;
import java.util.List;

/** The schemes of partial sharing that come with Grapevine. */
public final class PartialCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Encoding.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        Partial.class,
        Subsampling.class,
        RoundRobin.class,
        TopKMagnitude.class,
        TopKChange.class,
        Accumulation.class,
        NormalizedAccumulation.class,
        BoundedAccumulation.class,
        WaveletAccumulation.class,
        FourierAccumulation.class,
        Jwins.class,
        JwinsPlusPlus.class);
  }
}
