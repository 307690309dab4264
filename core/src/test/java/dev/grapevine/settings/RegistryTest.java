package dev.grapevine.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {

  private final Registry registry = Shapes.registry();

  @Test
  void familiesAreFoundInSingularAndPlural() {
    assertThat(registry.family("shape")).isEqualTo(Shapes.FAMILY);
    assertThat(registry.family("shapes")).isEqualTo(Shapes.FAMILY);
    assertThatThrownBy(() -> registry.family("shpae"))
        .isInstanceOf(UserException.class)
        .hasMessage("there is no family called \"shpae\"; did you mean \"shape\"?");
  }

  @Test
  void choicesAreMadeInCode() {
    Choice<Shapes.World, Shapes.Shape> square =
        registry.choose(Shapes.FAMILY, "square", "side = 3");
    assertThat(square.create(new Shapes.World(2)).area()).isEqualTo(18);
    assertThat(registry.choose(Shapes.FAMILY, "unit-circle", "").create(new Shapes.World(1)).area())
        .isEqualTo(Math.PI);
  }

  @Test
  void aClassOnTheClassPathNeedsNoCatalogue() {
    String name = "dev.grapevine.settings.Shapes$Square";
    assertThat(registry.kind(Shapes.FAMILY, name).reference()).isEqualTo(name);
    assertThatThrownBy(() -> registry.kind(Shapes.FAMILY, "java.lang.String"))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(
            "class java.lang.String cannot be used as a shape: it must implement"
                + " dev.grapevine.settings.Shapes$Shape");
  }

  @Test
  void aSourceFileIsCompiled(@TempDir Path directory) throws IOException {
    Files.writeString(
        directory.resolve("Half.java"),
        """
        import dev.grapevine.settings.Default;
        import dev.grapevine.settings.Shapes;

        public final class Half implements Shapes.Shape {
          public record Settings(@Default("2") double of) {}
          private final Settings settings;
          public Half(Settings settings) { this.settings = settings; }
          @Override public double area() { return settings.of() / 2; }
        }
        """);
    KindDescription<Shapes.World, Shapes.Shape> kind =
        registry.kind(Shapes.FAMILY, "Half.java", directory);
    assertThat(kind.name()).isEqualTo("Half");
    assertThat(kind.settings()).hasSize(1);
    assertThat(registry.kind(Shapes.FAMILY, "Half.java", directory).type()).isSameAs(kind.type());
    Choice<Shapes.World, Shapes.Shape> half =
        registry.choose(Shapes.FAMILY, directory.resolve("Half.java").toString(), "of = 5");
    assertThat(half.create(new Shapes.World(1)).area()).isEqualTo(2.5);
  }

  @Test
  void theCompilersOwnLinesComeOut(@TempDir Path directory) throws IOException {
    Path source = directory.resolve("Wrong.java");
    Files.writeString(source, "public final class Wrong {\n  int x = \"a\";\n}\n");
    assertThatThrownBy(() -> registry.kind(Shapes.FAMILY, "Wrong.java", directory))
        .isInstanceOf(UserException.class)
        .hasMessage(
            """
            %s does not compile:
            %s:2: error: incompatible types: String cannot be converted to int
              int x = "a";
                      ^
            1 error\
            """
                .formatted(source, source));
    assertThatThrownBy(() -> registry.kind(Shapes.FAMILY, "None.java", directory))
        .isInstanceOf(UserException.class)
        .hasMessage("there is no file " + directory.resolve("None.java"));
  }
}
