package dev.grapevine.experiment;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;

/** The table {@code [nodes]}. */
public record NodesSettings(
    @Default("16") @Doc("how many nodes hold data and learn, at least 1") int count,
    @Default("true") @Doc("whether all nodes start from the same random weights")
        boolean sameStart) {

  private static final int MOST = 1_000_000;

  public NodesSettings {
    require(
        count >= 1 && count <= MOST,
        "count",
        "count must be between 1 and %d: count=%d".formatted(MOST, count));
  }
}
