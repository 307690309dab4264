package dev.grapevine.app.release;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Texts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Packs a release: the launcher, all jars, start-up caches, examples and the guide. */
@Command(
    name = "dist",
    description = "Pack a zip that runs on a machine with only a JDK 25.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The receiver unpacks it anywhere and runs ./grapevine in it. The start-up caches fit the JDK",
      "they were made with; with another one they are made anew on the first start."
    })
public final class DistCommand implements Subcommand, Callable<Integer> {

  private static final List<String> BESIDE_THE_JARS =
      List.of("grapevine", "LICENSE", "README.md", "examples", "docs");

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file to write (default: grapevine-VERSION.zip here).")
  private @Nullable Path out;

  @Override
  public Integer call() {
    String home = System.getProperty("grapevine.home");
    if (home == null) {
      throw new UserException("dist must be started by the launcher: ./grapevine dist");
    }
    String version = spec.root().version()[0].replaceAll("[^0-9.]", "");
    Path target = out == null ? Path.of("grapevine-" + version + ".zip") : out;
    try (ReleaseZip zip = ReleaseZip.create(target, "grapevine-" + version)) {
      for (String name : BESIDE_THE_JARS) {
        Path source = Path.of(home, name);
        if (Files.exists(source)) {
          zip.add(source, name);
        }
      }
      for (Path jar : jars()) {
        zip.add(jar, "lib/" + jar.getFileName());
      }
      zip.makeCaches();
    } catch (IOException e) {
      throw new UserException("cannot write %s: %s".formatted(target, FileProblem.reason(e)), e);
    }
    spec.commandLine()
        .getOut()
        .println("wrote %s (%s)".formatted(target, Texts.bytes(target.toFile().length())));
    spec.commandLine().getOut().flush();
    return 0;
  }

  /** What this process runs on is what the release runs on. */
  private static List<Path> jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .toList();
  }
}
