package dev.grapevine.cluster;

import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import java.time.Duration;

/** Something that happened at a node, as {@link dev.grapevine.runtime.report.Observer} hears it. */
public sealed interface Event {

  /** Whose it is. */
  int node();

  /** When it happened, on the run's clock. */
  Duration time();

  /** A figure of a model as it starts. */
  record Before(int node, String metric, double value) implements Event {
    @Override
    public Duration time() {
      return Duration.ZERO;
    }
  }

  /** A figure of a node. */
  record Figure(int node, int round, String metric, double value, Duration time) implements Event {}

  /** A node has reached the end of a round. */
  record RoundFinished(NodeReport report) implements Event {
    @Override
    public int node() {
      return report.node();
    }

    @Override
    public Duration time() {
      return report.time();
    }
  }

  /** A learner is about to send to a server. */
  record Reported(NodeReport report) implements Event {
    @Override
    public int node() {
      return report.node();
    }

    @Override
    public Duration time() {
      return report.time();
    }
  }

  /** What a node has sent to a peer so far. */
  record Sent(int node, int peer, long bytes, Duration time) implements Event {}

  /**
   * A node has thrown something.
   *
   * @param diverged whether its numbers were beyond all reason
   * @param text what, with the place
   */
  record Thrown(int node, int round, boolean diverged, String text, Duration time)
      implements Event {}

  /** How often a node has shared its coordinates. */
  record ShareCounts(int node, double[] percentiles, Duration time) implements Event {}

  /** A fault on purpose has ended a node's life. */
  record FaultStruck(InjectedFault fault, Duration time) implements Event {
    @Override
    public int node() {
      return fault.node();
    }
  }

  /** A node is down. */
  record WentDown(int node, Duration time) implements Event {}

  /**
   * A node is back.
   *
   * @param round the first round that it takes part in
   * @param missed rounds that it was not there for
   */
  record IsBack(int node, int round, int missed, Duration time) implements Event {}

  /** A node has ended. */
  record Ended(NodeOutcome outcome, Duration time) implements Event {
    @Override
    public int node() {
      return outcome.node();
    }
  }
}
