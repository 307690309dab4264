package dev.grapevine.runtime;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The runtimes. */
public final class RuntimeCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return NodeRuntime.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(LiveRuntime.class, SimulatedRuntime.class);
  }
}
