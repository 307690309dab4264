package dev.grapevine.exchange;

import dev.grapevine.message.Outgoing;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.topology.Neighbourhood;
import java.util.Map;
import java.util.Optional;

/**
 * Adds up what a node's neighbours say without hearing what each of them says. One serves all
 * exchanges of a node; called by these.
 */
public interface SecretSum {

  /**
   * What is to be sent.
   *
   * @param to those who are told: a receiver that hears from too few is left out
   */
  record Said(Neighbourhood to, Outgoing outgoing) {}

  /**
   * What was heard.
   *
   * @param mean the weighted mean of those who were added up
   * @param weight what all of them count together
   */
  record Sum(float[] mean, double weight) {}

  /** Hides the first {@code count} values; on a compute thread. */
  Said mask(
      int channel,
      int round,
      Neighbourhood own,
      Views views,
      float[] values,
      int count,
      Scratch scratch);

  /** Lets the time pass that the latest masks take in a simulation; none on a wall clock. */
  void passTime() throws InterruptedException;

  /** Whether there are so many to hear from that their sum tells of none. */
  boolean isSafe(Neighbourhood own);

  /**
   * Adds up what came. May ask the neighbours for help and wait.
   *
   * @param received what the others' {@link #mask} made
   * @return empty when the sum could not be had, or only by laying one of them open
   */
  Optional<Sum> open(int channel, Neighbourhood own, Received received, int count)
      throws InterruptedException;

  /** Stays until nobody needs this node's help any more; the last thing that a node does. */
  void finish() throws InterruptedException;

  /** What has happened so far, by the names of metrics. */
  Map<String, Double> figures();
}
