package dev.grapevine.topology;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The weight rules that come with Grapevine. */
public final class WeightRuleCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return WeightRule.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(MetropolisHastings.class, UniformWeights.class, SelfWeight.class);
  }
}
