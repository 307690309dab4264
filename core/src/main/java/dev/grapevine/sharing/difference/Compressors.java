package dev.grapevine.sharing.difference;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The compressors that come with Grapevine. */
public final class Compressors implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Compressor.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        TopKCompressor.class,
        RandomCompressor.class,
        TernaryCompressor.class,
        ThresholdCompressor.class,
        OneBitCompressor.class,
        QsgdCompressor.class);
  }
}
