package dev.grapevine.compression.transform;

import dev.grapevine.compression.Transform;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The transforms that come with Grapevine. */
public final class Transforms implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Transform.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(Identity.class, Wavelet.class, Fourier.class);
  }
}
