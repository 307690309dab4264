package dev.grapevine.checkpoint;

/**
 * What a cut belongs to.
 *
 * @param version Grapevine's version, for people
 * @param experiment the SHA-256 of all settings that have a say in the results
 */
public record Identity(String version, String experiment) {

  /** The identity of an experiment. */
  public static Identity of(String version, String settings) {
    return new Identity(version, Sha256.of(settings));
  }
}
