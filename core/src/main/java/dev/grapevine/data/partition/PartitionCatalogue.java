package dev.grapevine.data.partition;

import dev.grapevine.data.Partitioner;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The partitioners of this package. */
public final class PartitionCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Partitioner.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        Iid.class,
        Shards.class,
        Dirichlet.class,
        Natural.class,
        Classes.class,
        QuantitySkew.class,
        Fractions.class,
        FromFile.class);
  }
}
