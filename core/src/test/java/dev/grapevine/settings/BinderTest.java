package dev.grapevine.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinderTest {

  private static final Section SECTION =
      Section.of("shape", "what is drawn").choice("kind", Shapes.FAMILY, "unit-circle");

  private final Binder binder = new Binder(Shapes.registry(), Path.of("/base"));

  private SectionValues bind(String toml) {
    return binder.bind(SECTION, TomlText.parse("x.toml", toml));
  }

  private Shapes.Square.Settings square(String toml) {
    return (Shapes.Square.Settings)
        bind("kind = \"square\"\n" + toml).choice("kind", Shapes.FAMILY).settings();
  }

  @Test
  void silenceMeansDefaults() {
    Shapes.Square.Settings settings = square("side = 2");
    assertThat(settings.side()).isEqualTo(2);
    assertThat(settings.edge()).isEqualTo(Shapes.Edge.SHARP);
    assertThat(settings.delay()).isEqualTo(Duration.ofMillis(20));
    assertThat(settings.speed().bitsPerSecond()).isEqualTo(1e8);
    assertThat(settings.memory().bytes()).isEqualTo(65536);
    assertThat(settings.marks()).containsExactly(1, 2);
    assertThat(settings.filled()).isTrue();
    assertThat(settings.paint().name()).isEqualTo("red");
    assertThat(settings.corner()).isEmpty();
    assertThat(settings.limit()).isEmpty();
    assertThat(bind("").choice("kind", Shapes.FAMILY).name()).isEqualTo("unit-circle");
  }

  @Test
  void everyTypeCanBeGiven() {
    Shapes.Square.Settings settings =
        square(
            """
            side = 2.5
            edge = "very-round"
            delay = "1.5 s"
            speed = "12.5 MB/s"
            memory = "2 MB"
            marks = [3]
            filled = false
            paint = {kind = "mixed", blue = 0.5}
            corner.size = 7
            limit = 9
            file = "a/b.txt"
            """);
    assertThat(settings.edge()).isEqualTo(Shapes.Edge.VERY_ROUND);
    assertThat(settings.delay()).isEqualTo(Duration.ofMillis(1500));
    assertThat(settings.speed().bitsPerSecond()).isEqualTo(1e8);
    assertThat(settings.memory().bytes()).isEqualTo(2_000_000);
    assertThat(settings.marks()).isEqualTo(List.of(3));
    assertThat(settings.filled()).isFalse();
    assertThat(settings.paint().settings()).isEqualTo(new Shapes.Mixed.Settings(0.5, false));
    assertThat(settings.corner()).contains(new Shapes.Corner(7, Shapes.Edge.SHARP));
    assertThat(settings.limit()).hasValue(9);
    assertThat(settings.file()).contains(Path.of("/base/a/b.txt"));
  }

  @Test
  void whatIsWrittenBindsToTheSame() {
    SectionValues values =
        bind(
            """
            kind = "square"
            side = 1e-3
            delay = "90 min"
            paint = {kind = "mixed", blue = 0.5, glossy = true}
            corner = {edge = "very-round"}
            """);
    StringBuilder toml = new StringBuilder();
    values.toToml().forEach((key, value) -> toml.append(key + " = " + value + "\n"));
    assertThat(bind(toml.toString()).choice("kind", Shapes.FAMILY))
        .isEqualTo(values.choice("kind", Shapes.FAMILY));
    assertThat(toml).contains("delay = \"90 min\"").contains("kind = \"mixed\"");
  }

  private void refused(String toml, String message) {
    assertThatThrownBy(() -> bind(toml))
        .isInstanceOf(UserException.class)
        .hasMessage(message.stripTrailing());
  }

  @Test
  void unknownKeySuggestsTheNearest() {
    refused(
        "kind = \"square\"\n  sied = 2 # oops",
        """
        x.toml:2:3: [shape] has no key "sied" with shape "square"; did you mean "side"?
          2 |   sied = 2 # oops
            |   ^^^^
        """);
  }

  @Test
  void keyOfAnotherKindSaysWhose() {
    refused(
        "side = 2",
        """
        x.toml:1:1: [shape] has no key "side" with shape "unit-circle"; it belongs to shape "square"
          1 | side = 2
            | ^^^^
        """);
  }

  @Test
  void unknownKindSuggestsTheNearest() {
    refused(
        "kind = \"sqare\"",
        """
        x.toml:1:8: there is no shape called "sqare"; did you mean "square"?
          1 | kind = "sqare"
            |        ^^^^^^^
        """);
    refused(
        "kind = \"blob\"",
        """
        x.toml:1:8: there is no shape called "blob"; there are: square, unit-circle
          1 | kind = "blob"
            |        ^^^^^^
        """);
  }

  @Test
  void wrongTypeSaysWhatIsRight() {
    refused(
        "kind = \"square\"\nside = \"2\"",
        """
        x.toml:2:8: shape.side must be a number, but is the text "2"; leave out the quotes
          2 | side = "2"
            |        ^^^
        """);
    refused(
        "kind = \"square\"\nside = 1\nlimit = 1.5",
        """
        x.toml:3:9: shape.limit must be a whole number, but is 1.5
          3 | limit = 1.5
            |         ^^^
        """);
    refused(
        "kind = \"square\"\nside = 1\ndelay = \"20 sec\"",
        """
        x.toml:3:9: shape.delay must be a duration such as "20 ms", but is the text "20 sec": "sec" is no unit; did you mean "s"?
          3 | delay = "20 sec"
            |         ^^^^^^^^
        """);
    refused(
        "kind = \"square\"\nside = 1\ndelay = 20",
        """
        x.toml:3:9: shape.delay must be a duration such as "20 ms", but is 20; write it as text with its unit
          3 | delay = 20
            |         ^^
        """);
    refused(
        "kind = \"square\"\nside = 1\nmarks = 4",
        """
        x.toml:3:9: shape.marks must be a list, each a whole number, but is 4; put it in square brackets: [4]
          3 | marks = 4
            |         ^
        """);
    refused(
        "kind = \"square\"\nside = 1\nedge = \"sharb\"",
        """
        x.toml:3:8: shape.edge must be one of "sharp", "very-round", but is the text "sharb"; did you mean "sharp"?
          3 | edge = "sharb"
            |        ^^^^^^^
        """);
    refused(
        "kind = \"square\"\nside = 1\nmarks = [4, true]",
        """
        x.toml:3:13: shape.marks[1] must be a whole number, but is true
          3 | marks = [4, true]
            |             ^^^^
        """);
  }

  @Test
  void missingKeySaysWhatItIs() {
    refused(
        "kind = \"square\"",
        "x.toml: shape.side is missing (length of a side, above 0); it is a number");
  }

  @Test
  void valueOutOfRangePointsAtTheValue() {
    refused(
        "kind = \"square\"\nside = -1",
        """
        x.toml:2:8: side must be above 0: side=-1.0
          2 | side = -1
            |        ^^
        """);
    refused(
        "kind = \"square\"\nside = 1\npaint = {kind = \"mixed\", blue = 3}",
        """
        x.toml:3:33: blue must be at most 1: blue=3.0
          3 | paint = {kind = "mixed", blue = 3}
            |                                 ^
        """);
  }

  @Test
  void mistakesFoundWhileBuildingPointAtTheTableToo() {
    Choice<Shapes.World, Shapes.Shape> choice =
        bind("kind = \"unit-circle\"").choice("kind", Shapes.FAMILY);
    assertThatThrownBy(() -> choice.create(new Shapes.World(-1)))
        .isInstanceOf(UserException.class)
        .hasMessage("x.toml: the world is upside down: scale=-1.0");
  }

  @Test
  void brokenTomlIsShown() {
    refused(
        "kind = square",
        """
        x.toml:1:8: text needs quotes: "square"
          1 | kind = square
            |        ^^^^^^
        """);
    refused(
        "side = 1\nside = 2",
        """
        x.toml:2:1: side was already given on line 1, column 1
          2 | side = 2
            | ^^^^
        """);
    refused(
        "[shape",
        """
        x.toml:1:7: this is not TOML: Unexpected end of input, expected ]
          1 | [shape
            |       ^
        """);
  }

  @Test
  void aLaterChoiceDropsTheSettingsOfTheEarlierKind() {
    RawValue.Table base = TomlText.parse("x.toml", "kind = \"square\"\nside = 2");
    RawValue.Table over = TomlText.parse("--set", "kind = \"unit-circle\"");
    assertThat(binder.bind(SECTION, base.overlaid(over, 1)).choice("kind", Shapes.FAMILY).name())
        .isEqualTo("unit-circle");
  }

  @Test
  void listingNamesTypesAndDefaults() {
    List<SettingDescription> keys = SettingDescription.of(Shapes.Square.Settings.class);
    assertThat(keys.getFirst())
        .isEqualTo(
            new SettingDescription(
                "side", "a number", java.util.Optional.empty(), true, "length of a side, above 0"));
    assertThat(keys.get(2).type()).isEqualTo("a duration such as \"20 ms\"");
    assertThat(keys.get(7).type()).isEqualTo("a kind of paint");
    assertThat(keys.get(8).required()).isFalse();
  }
}
