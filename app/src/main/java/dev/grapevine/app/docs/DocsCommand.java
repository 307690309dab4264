package dev.grapevine.app.docs;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the pages that document the library, with the JDK's own tool. */
@Command(
    name = "docs",
    description = "Make the pages (Javadoc) about the classes that own code uses.",
    mixinStandardHelpOptions = true)
public final class DocsCommand implements Subcommand, Callable<Integer> {

  private static final List<String> SOURCES = List.of("engine/src/main/java", "core/src/main/java");

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the pages go (default: target/javadoc where Grapevine is built).")
  private @Nullable Path out;

  @Override
  public Integer call() {
    Path home =
        home()
            .orElseThrow(() ->
                new UserException(
                    "the sources of Grapevine are not here, and the pages are made from them: call"
                        + " this in a clone of the repository"));
    Path target = out == null ? home.resolve("target/javadoc") : out;
    Path parent = target.toAbsolutePath().getParent();
    if (Files.isRegularFile(target) || (parent != null && Files.isRegularFile(parent))) {
      throw new UserException(target + " cannot be a folder: name another one for the pages");
    }
    StringWriter complaints = new StringWriter();
    int code =
        ToolProvider.findFirst("javadoc")
            .orElseThrow(() ->
                new UserException(
                    "this Java has no javadoc; set JAVA_HOME to a JDK 25 with all of its tools"))
            .run(
                new PrintWriter(complaints),
                new PrintWriter(complaints),
                arguments(home, target).toArray(String[]::new));
    if (code != 0) {
      throw new UserException(
          "the pages could not be made: "
              + complaints
                  .toString()
                  .lines()
                  .filter(line -> line.contains("error"))
                  .findFirst()
                  .orElse(complaints.toString().strip()));
    }
    PrintWriter print = spec.commandLine().getOut();
    print.println("pages         " + target.resolve("index.html"));
    print.println("guide         " + home.resolve("docs/extending.md"));
    print.flush();
    return 0;
  }

  private static List<String> arguments(Path home, Path target) {
    List<String> roots = SOURCES.stream().map(root -> home.resolve(root).toString()).toList();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-d", target.toString()));
    arguments.addAll(List.of("-sourcepath", String.join(File.pathSeparator, roots)));
    arguments.addAll(List.of("-subpackages", "dev.grapevine"));
    arguments.addAll(List.of("-classpath", System.getProperty("java.class.path")));
    arguments.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    arguments.addAll(List.of("-quiet", "-Xdoclint:none", "-notimestamp"));
    arguments.addAll(List.of("-encoding", "UTF-8", "-doctitle", "Grapevine"));
    arguments.addAll(List.of("-windowtitle", "Grapevine"));
    return arguments;
  }

  /** The folder above this code that holds the sources. */
  private static Optional<Path> home() {
    try {
      CodeSource source = DocsCommand.class.getProtectionDomain().getCodeSource();
      Path at = source == null ? null : Path.of(source.getLocation().toURI()).toAbsolutePath();
      while (at != null && !Files.isDirectory(at.resolve(SOURCES.getFirst()))) {
        at = at.getParent();
      }
      return Optional.ofNullable(at);
    } catch (URISyntaxException notAFile) {
      return Optional.empty();
    }
  }
}
