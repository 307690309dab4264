package dev.grapevine.settings;

import org.jspecify.annotations.Nullable;

/** The choice that a binder makes; it remembers the table it came from for later mistakes. */
final class ChosenKind<C, T> implements Choice<C, T> {

  private final KindDescription<C, T> kind;
  private final Record settings;
  private final RawValue.Table origin;

  ChosenKind(KindDescription<C, T> kind, Record settings, RawValue.Table origin) {
    this.kind = kind;
    this.settings = settings;
    this.origin = origin;
  }

  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public Record settings() {
    return settings;
  }

  KindDescription<C, T> kind() {
    return kind;
  }

  @Override
  public T create(C context) {
    try {
      return kind.build(settings, context);
    } catch (SettingException e) {
      throw Binder.mistake(origin, e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChosenKind<?, ?> that
        && kind.reference().equals(that.kind.reference())
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return 31 * kind.reference().hashCode() + settings.hashCode();
  }

  @Override
  public String toString() {
    return TomlWriter.value(this);
  }
}
