package dev.grapevine.runtime;

import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps how nodes ended and decides whether the run goes on. Safe for concurrent use. */
public final class Endings {

  private final FaultPolicy policy;
  private final Cuts cuts;
  private final boolean nodesComeAndGo;
  private final Observer observer;
  private final @Nullable NodeOutcome[] outcomes;
  private @Nullable AverageEvaluation averages;
  private volatile @Nullable Ending ending;
  private String reason = "";

  public Endings(FaultPolicy policy, Observer observer, int nodes, boolean nodesComeAndGo) {
    this(policy, observer, nodes, nodesComeAndGo, Cuts.NONE);
  }

  private Endings(
      FaultPolicy policy, Observer observer, int nodes, boolean nodesComeAndGo, Cuts cuts) {
    this.policy = policy;
    this.cuts = cuts;
    this.nodesComeAndGo = nodesComeAndGo;
    this.observer = observer;
    outcomes = new @Nullable NodeOutcome[nodes];
  }

  /** Of a run that may be saved, or go on. */
  public Endings(Plan plan, Observer observer) {
    this(
        plan.policy(),
        observer,
        plan.nodes(),
        !plan.faults().churn().isNone(),
        plan.saving().cuts());
    for (Resumption.EndedNode ended : plan.saving().from().ended()) {
      // Of one in another process, that process tells.
      if (plan.here().containsKey(ended.outcome().node())) {
        outcomes[ended.outcome().node()] = ended.outcome();
        observer.nodeEnded(ended.outcome());
        cuts.ended(ended.outcome(), ended.told());
      }
    }
  }

  public void watch(AverageEvaluation averages) {
    this.averages = averages;
  }

  /**
   * Enters the end of a node; true if its peers are to be told.
   *
   * @param silent whether nobody is to notice, whatever the policy
   */
  public boolean ended(NodeOutcome outcome, boolean silent) {
    synchronized (this) {
      outcomes[outcome.node()] = outcome;
    }
    try {
      observer.nodeEnded(outcome);
    } catch (RuntimeException thrown) {
      end(
          Ending.FAILED,
          "results of node %d could not be kept: %s"
              .formatted(outcome.node(), FailureText.of(thrown)));
    }
    boolean told = isTold(outcome, silent);
    if (!hasEndedAlready()) {
      cuts.ended(outcome, told);
    }
    return told;
  }

  private boolean isTold(NodeOutcome outcome, boolean silent) {
    if (!failed(outcome) || silent) {
      return false;
    }
    if (hasEnded()) {
      return false;
    }
    if (policy.failedNode() != FaultPolicy.FailedNode.DROP) {
      end(Ending.FAILED, outcome.reason());
      return false;
    }
    return true;
  }

  /** Ends the run; the first reason counts. */
  public synchronized void end(Ending how, String why) {
    if (ending == null) {
      reason = why;
      ending = how;
    }
  }

  /** Whether the run has been ended before all nodes have. */
  public boolean hasEnded() {
    if (ending != null) {
      return true;
    }
    String stop = observer.stopReason();
    if (stop != null) {
      end(Ending.STOPPED, stop);
    }
    return stop != null;
  }

  /** The same without asking whether it is to stop. */
  public boolean hasEndedAlready() {
    return ending != null;
  }

  /** How and why the run was ended before all nodes have. */
  public synchronized Company.Verdict verdict() {
    return new Company.Verdict(ending == null ? Ending.DONE : ending, reason);
  }

  /** The outcome, once every node has ended and all work is done. */
  public synchronized Outcome outcome(
      Optional<String> traceHash, Optional<Duration> virtualTime, Duration wallTime) {
    RuntimeException failure = averages == null ? null : averages.failure();
    if (failure != null) {
      end(Ending.FAILED, "evaluation of the average model failed: " + FailureText.of(failure));
    }
    List<NodeOutcome> nodes = new ArrayList<>(outcomes.length);
    for (NodeOutcome outcome : outcomes) {
      if (outcome != null) {
        nodes.add(outcome);
      }
    }
    Ending how = ending == null ? Ending.DONE : ending;
    if (how == Ending.DONE && nodes.stream().allMatch(Endings::failed)) {
      how = Ending.FAILED;
      reason = "every node failed; " + nodes.getFirst().reason();
    } else if (how == Ending.DONE && nodes.stream().noneMatch(Endings::finished)) {
      how = Ending.STALLED;
      reason = nobodyIsLeft(nodes);
    } else if (how == Ending.DONE && nodesComeAndGo && mostRounds(nodes) == 0) {
      how = Ending.STALLED;
      reason =
          "no node has finished a round: as [faults.churn] says, all were away or came back too late"
              + " for every one; let nodes stay up for longer, or let rounds be shorter";
    }
    return new Outcome(how, reason, nodes, traceHash, virtualTime, wallTime);
  }

  private static String nobodyIsLeft(List<NodeOutcome> nodes) {
    long failed = nodes.stream().filter(Endings::failed).count();
    return "no node is left: %d of %d went as [faults.churn] says, %d failed, and none comes back;"
            .formatted(nodes.size() - failed, nodes.size(), failed)
        + " at most %d rounds were finished, so let a node stay or come back, or ask for fewer rounds"
            .formatted(mostRounds(nodes));
  }

  private static int mostRounds(List<NodeOutcome> nodes) {
    return nodes.stream().mapToInt(NodeOutcome::roundsFinished).max().orElse(0);
  }

  private static boolean finished(NodeOutcome outcome) {
    return outcome.status() == NodeOutcome.Status.FINISHED;
  }

  private static boolean failed(NodeOutcome outcome) {
    return outcome.status() == NodeOutcome.Status.FAILED;
  }
}
