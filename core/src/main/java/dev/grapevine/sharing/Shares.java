package dev.grapevine.sharing;

import dev.grapevine.settings.SettingException;

/** The range of settings that are a share of something. */
public final class Shares {

  private Shares() {}

  /** Throws unless {@code share} lies in (0, 1]. */
  public static void require(double share, String key) {
    SettingException.require(
        share > 0 && share <= 1, key, "%s must be in (0, 1]: %s=%s".formatted(key, key, share));
  }
}
