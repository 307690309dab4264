package dev.grapevine.runtime;

import dev.grapevine.network.NetworkSettings.TransportKind;

/** The ways to run nodes that tests walk through. */
public enum Clock {
  SIMULATED {
    @Override
    public NodeRuntime runtime() {
      return Runs.simulated(2);
    }
  },
  LIVE_IN_MEMORY {
    @Override
    public NodeRuntime runtime() {
      return Runs.live(TransportKind.MEMORY);
    }
  },
  LIVE_OVER_TCP {
    @Override
    public NodeRuntime runtime() {
      return Runs.live(TransportKind.TCP);
    }
  };

  public abstract NodeRuntime runtime();
}
