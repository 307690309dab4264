package dev.grapevine.network;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The link models. */
public final class LinkModelCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return LinkModel.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        LatencyLinks.class, SharedBandwidthLinks.class, MatrixLinks.class, TraceLinks.class);
  }
}
