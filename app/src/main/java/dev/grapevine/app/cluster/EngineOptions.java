package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.deploy.ClusterEngine;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Workers that somebody else's engine starts. */
final class EngineOptions {

  @Option(
      names = "--on",
      paramLabel = "ENGINE",
      description = "Let an engine start the workers: spark (as a barrier stage).")
  private @Nullable String engine;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "local[*]",
      description = "With --on spark: where Spark is (default: local[*]).")
  private String master;

  boolean isChosen() {
    return engine != null;
  }

  ClusterEngine engine() {
    return ClusterEngine.named(String.valueOf(engine));
  }

  String master() {
    return master;
  }

  /** Whether all that the engine starts is on this machine. */
  boolean isLocal() {
    return master.startsWith("local");
  }

  /** The launcher, which must be at the same place on all machines. */
  static Path launcher() {
    String home = System.getProperty("grapevine.home");
    if (home == null) {
      throw new UserException("--on must be started by the launcher: ./grapevine launch");
    }
    return Path.of(home, "grapevine");
  }
}
