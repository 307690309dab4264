package dev.grapevine.app.cluster;

import dev.grapevine.app.deploy.ClusterEngine;
import dev.grapevine.cluster.Coordinator;
import dev.grapevine.security.RunSecret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Workers that somebody else's engine has started. */
final class EngineCrew implements Workers {

  /** How long workers may take to end by themselves when the run is over. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ClusterEngine.Started started;

  EngineCrew(
      ClusterEngine engine,
      String name,
      String master,
      List<ClusterEngine.Task> tasks,
      Coordinator coordinator,
      RunSecret secret) {
    started =
        engine.start(
            new ClusterEngine.Order(
                name,
                master,
                Path.of("").toAbsolutePath(),
                tasks,
                secret.line(),
                true,
                coordinator::processEnded));
  }

  @Override
  public void end() {
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              try {
                started.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      waiting.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    started.close();
  }
}
