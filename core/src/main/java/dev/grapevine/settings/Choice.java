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

  /** Builds the chosen thing; a {@link SettingException} names a setting that does not fit. */
  T create(C context);
}
