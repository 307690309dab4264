package dev.grapevine.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedSettingsTest {

  interface Tone {}

  static final Family<Void, Tone> TONES = new Family<>("tone", Tone.class, Void.class, "a sound");

  @SharedSettings
  record Loudness(@Doc("how loud, at least 0") @Default("3") int volume, boolean muted) {
    Loudness {
      SettingException.require(volume >= 0, "volume", "volume must not be negative: " + volume);
    }
  }

  @Kind(name = "bell", summary = "A bell.")
  record Bell(Settings settings) implements Tone {
    record Settings(@Default("440") int pitch, Loudness loudness, @Default("1") int strokes) {}
  }

  @Kind(name = "hiss", summary = "Noise.")
  record Hiss(Loudness loudness) implements Tone {}

  private static final Section SECTION =
      Section.of("tone", "a sound").choice("kind", TONES, "hiss");

  private final Registry registry =
      Registry.of(List.of(Shapes.catalogue(TONES, List.of(Bell.class, Hiss.class))));

  private SectionValues bind(String toml) {
    return new Binder(registry, Path.of("")).bind(SECTION, TomlText.parse("x.toml", toml));
  }

  @Test
  void keysStandInTheTableOfTheKind() {
    Record settings =
        bind("kind = \"bell\"\nvolume = 5\nmuted = false").choice("kind", TONES).settings();
    assertThat(settings).isEqualTo(new Bell.Settings(440, new Loudness(5, false), 1));
  }

  @Test
  void aKindWithoutOtherSettingsTakesThemAsItsOwn() {
    Choice<Void, Tone> choice = bind("muted = true").choice("kind", TONES);
    assertThat(choice.create()).isEqualTo(new Hiss(new Loudness(3, true)));
  }

  @Test
  void theyAreListedAndWrittenWhereTheyStand() {
    assertThat(registry.kinds(TONES))
        .extracting(kind -> kind.settings().stream().map(SettingDescription::key).toList())
        .containsExactly(
            List.of("pitch", "volume", "muted", "strokes"), List.of("volume", "muted"));
    assertThat(bind("kind = \"bell\"\nmuted = true").toToml())
        .containsExactly(
            Map.entry("kind", "\"bell\""),
            Map.entry("pitch", "440"),
            Map.entry("volume", "3"),
            Map.entry("muted", "true"),
            Map.entry("strokes", "1"));
  }

  @Test
  void mistakesPointAtTheKey() {
    assertThatThrownBy(() -> bind("muted = true\nvolume = -1"))
        .hasMessageContaining("x.toml:2:10")
        .hasMessageContaining("volume must not be negative: -1");
    assertThatThrownBy(() -> bind("kind = \"bell\"")).hasMessageContaining("tone.muted is missing");
    assertThatThrownBy(() -> bind("muted = true\nvolum = 1")).hasMessageContaining("\"volume\"");
  }
}
