package dev.grapevine.launch;

import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
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
