package dev.grapevine.aggregation;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The rules that come with Grapevine. */
public final class Aggregators implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Aggregator.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        WeightedMean.class,
        Median.class,
        TrimmedMean.class,
        GeometricMedian.class,
        ClippedGossip.class);
  }
}
