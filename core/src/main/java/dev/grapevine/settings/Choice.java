package dev.grapevine.settings;

/**
 * A kind picked from a family together with its settings, ready to be built as often as needed. A
 * settings record may itself hold choices: {@code values = "zfp"} or {@code values = {kind = "zfp",
 * tolerance = 0.001}}.
 *
 * @param <C> the family's context
 * @param <T> the family's type
 */
public interface Choice<C, T> {

  /** The chosen kind's name. */
  String name();

  /** The kind's settings record, or an empty record when it has none. */
  Record settings();

  /**
   * Builds the chosen thing; a setting that does not fit is a {@link dev.grapevine.UserException}
   * that shows where it stands.
   */
  T create(C context);

  /** Builds the chosen thing of a family that has no context, that is, {@code Void}. */
  @SuppressWarnings("NullAway") // Void has no other value
  default T create() {
    return create(null);
  }
}
