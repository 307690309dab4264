package dev.grapevine.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On what conditions a data set is to be had; printed by {@code grapevine data list}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Offer {

  /** How it comes to the user. */
  Access access();

  /** Space it takes on disk, or what decides it. */
  String size();

  /** Who may do what with it. */
  String terms();

  /** How a data set comes to the user. */
  enum Access {
    EMBEDDED("in the jar"),
    GENERATED("made from the seed"),
    FETCHED("grapevine data get"),
    OWN_FILES("bring your own files");

    private final String words;

    Access(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
