package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The float codecs that come with Grapevine. */
public final class FloatCodecs implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return FloatCodec.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        RawFloats.class,
        Float16.class,
        BFloat16.class,
        Affine8.class,
        StochasticQuantizer.class,
        Zfp.class,
        Fpzip.class,
        Lz4.class,
        Zstandard.class);
  }
}
