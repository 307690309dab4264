package dev.grapevine.cluster;

import dev.grapevine.UserException;
import java.time.Duration;

/**
 * How long one waits for another.
 *
 * @param join until all workers have joined
 * @param silence after which a worker counts as dead
 * @param stall how long all nodes may wait with messages on their way
 * @param farewell how long workers may take to hand in their results once the run is over
 */
public record Patience(Duration join, Duration silence, Duration stall, Duration farewell) {

  /** What most runs need. */
  public static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(120),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60));

  public Patience {
    if (!join.isPositive()) {
      throw new UserException(
          "workers need some seconds to join: join-within=%d s".formatted(join.toSeconds()));
    }
    if (silence.compareTo(Duration.ofSeconds(2)) < 0) {
      throw new UserException(
          "workers tell each second that they live, so that less than 2 s of silence means"
              + " nothing: "
              + silence.toMillis()
              + " ms");
    }
  }

  public Patience withSilence(Duration other) {
    return new Patience(join, other, stall, farewell);
  }

  public Patience withJoin(Duration other) {
    return new Patience(other, silence, stall, farewell);
  }

  public Patience withStall(Duration other) {
    return new Patience(join, silence, other, farewell);
  }
}
