package dev.grapevine.launch;

/** Which Grapevine this is. */
public final class Version {

  public static final String TEXT = "0.1.0";

  private Version() {}
}
