package dev.grapevine.sharing;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The schemes that send whole models. */
public final class PlainSharings implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Sharing.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(FullSharing.class, AverageSharing.class);
  }
}
