package dev.grapevine.sharing.difference;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.Encoding;
import java.util.List;

/** The schemes that send differences and come with Grapevine. */
public final class DifferenceCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Encoding.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        Choco.class,
        DcdPsgd.class,
        EcdPsgd.class,
        EcsdSgd.class,
        DeepSqueeze.class,
        QsgdSharing.class,
        PowerGossip.class,
        Moniqua.class);
  }
}
