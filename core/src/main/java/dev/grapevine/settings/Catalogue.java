package dev.grapevine.settings;

import java.util.List;

/**
 * Lists kinds so that they can be chosen by name. Found by {@link java.util.ServiceLoader}: each
 * package has one for its own kinds, and a jar beside Grapevine can bring more.
 */
public interface Catalogue {

  /** The family that the kinds belong to. */
  Family<?, ?> family();

  /** Classes annotated with {@link Kind}, in the order in which they are listed to users. */
  List<Class<?>> kinds();
}
