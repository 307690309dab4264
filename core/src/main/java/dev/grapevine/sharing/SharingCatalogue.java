package dev.grapevine.sharing;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The plainest sharing schemes. */
public final class SharingCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Encoding.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(FullSharing.class, AverageSharing.class, DataSharing.class, NoSharing.class);
  }
}
