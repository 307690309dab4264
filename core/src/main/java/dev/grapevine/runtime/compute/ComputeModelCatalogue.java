package dev.grapevine.runtime.compute;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The compute models. */
public final class ComputeModelCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return ComputeModel.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(FixedCompute.class, SpeedFactors.class, MeasuredCompute.class);
  }
}
