package dev.grapevine.privacy;

import dev.grapevine.settings.Kind;

/** Everybody hears what everybody says. */
@Kind(name = "none", summary = "neighbours see each other's models")
public final class NoPrivacy implements Privacy {

  @Override
  public boolean isNone() {
    return true;
  }
}
