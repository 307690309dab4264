package dev.grapevine.settings;

/**
 * A setting has a value it cannot have. Thrown by the constructors of settings records and of the
 * things they configure; whoever read the setting from a file adds where it stands.
 */
public final class SettingException extends RuntimeException {

  private final String key;

  /**
   * @param key the setting's name as in the experiment file, relative to its table
   * @param message what is wrong and what would be right, such as {@code degree must be below the
   *     number of nodes: degree=16, nodes=16}
   */
  public SettingException(String key, String message) {
    super(message);
    this.key = key;
  }

  public String key() {
    return key;
  }

  /** Throws unless {@code holds}. */
  public static void require(boolean holds, String key, String message) {
    if (!holds) {
      throw new SettingException(key, message);
    }
  }
}
