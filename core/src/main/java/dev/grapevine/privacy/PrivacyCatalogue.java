package dev.grapevine.privacy;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** What nodes can keep from each other. */
public final class PrivacyCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Privacy.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(NoPrivacy.class, SecureAggregation.class);
  }
}
