package dev.grapevine.topology;

import dev.grapevine.settings.SettingException;

/** The setting {@code redraw-every}, which all random topologies have. */
final class Redraw {

  private Redraw() {}

  static void check(int redrawEvery) {
    SettingException.require(
        redrawEvery >= 0,
        "redraw-every",
        "redraw-every must not be negative (0 keeps the first graph): redraw-every=" + redrawEvery);
  }
}
