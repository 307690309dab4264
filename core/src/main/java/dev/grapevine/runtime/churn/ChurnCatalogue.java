package dev.grapevine.runtime.churn;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** Where schedules of absences come from. */
public final class ChurnCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Churn.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        NoChurn.class,
        ListedChurn.class,
        ExponentialChurn.class,
        TraceChurn.class,
        FedScaleChurn.class);
  }
}
