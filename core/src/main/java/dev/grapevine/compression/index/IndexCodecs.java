package dev.grapevine.compression.index;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The index codecs that come with Grapevine. */
public final class IndexCodecs implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return IndexCodec.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        EliasGamma.class, Bitmap.class, RawIndices.class, Lz4Indices.class, SmallestIndices.class);
  }
}
