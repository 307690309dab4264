package dev.grapevine.settings;

import static dev.grapevine.settings.SettingException.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A small family to test with. */
public interface Shapes {

  interface Shape {
    double area();
  }

  interface Paint {}

  record World(double scale) {}

  Family<World, Shape> FAMILY = new Family<>("shape", Shape.class, World.class, "what is drawn");
  Family<World, Paint> PAINTS = new Family<>("paint", Paint.class, World.class, "how it is drawn");

  enum Edge {
    SHARP,
    VERY_ROUND
  }

  record Corner(@Default("1") int size, @Default("sharp") Edge edge) {}

  @Kind(name = "square", summary = "Four equal sides.", paper = "Euclid")
  record Square(Settings settings, World world) implements Shape {
    record Settings(
        @Doc("length of a side, above 0") double side,
        @Default("sharp") @Doc("how corners look") Edge edge,
        @Default("20 ms") Duration delay,
        @Default("100 Mbit/s") Bandwidth speed,
        @Default("64 KiB") DataSize memory,
        @Default("[1, 2]") List<Integer> marks,
        @Default("true") boolean filled,
        @Default("red") Choice<World, Paint> paint,
        Optional<Corner> corner,
        OptionalInt limit,
        Optional<Path> file) {
      Settings {
        require(side > 0, "side", "side must be above 0: side=" + side);
      }
    }

    @Override
    public double area() {
      require(world.scale() >= 0, "side", "side does not fit this world: scale=" + world.scale());
      return settings.side * settings.side * world.scale();
    }
  }

  @Kind(name = "unit-circle", summary = "A circle.")
  final class Circle {
    private Circle() {}

    public static Shape create(World world) {
      require(world.scale() >= 0, "side", "the world is upside down: scale=" + world.scale());
      return () -> Math.PI * world.scale();
    }
  }

  @Kind(name = "red", summary = "Red.")
  record Red() implements Paint {}

  @Kind(name = "mixed", summary = "A mixture.")
  record Mixed(Settings settings) implements Paint {
    record Settings(@Doc("share of blue") double blue, @Default("false") boolean glossy) {
      Settings {
        require(blue <= 1, "blue", "blue must be at most 1: blue=" + blue);
      }
    }
  }

  static Registry registry() {
    return Registry.of(
        List.of(
            catalogue(FAMILY, List.of(Square.class, Circle.class)),
            catalogue(PAINTS, List.of(Red.class, Mixed.class))));
  }

  static Catalogue catalogue(Family<?, ?> family, List<Class<?>> kinds) {
    return new Catalogue() {
      @Override
      public Family<?, ?> family() {
        return family;
      }

      @Override
      public List<Class<?>> kinds() {
        return kinds;
      }
    };
  }
}
