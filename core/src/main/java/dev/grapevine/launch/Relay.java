package dev.grapevine.launch;

import dev.grapevine.cluster.Event;
import dev.grapevine.cluster.WorkerSession;
import dev.grapevine.engine.DivergedException;
import dev.grapevine.learning.Learner;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.AverageModel;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;

/**
 * Records what happens at the nodes of a worker in its own part of the results, and tells the
 * coordinator, which records all workers' in one.
 */
final class Relay implements Observer {

  private final Recorder own;
  private final WorkerSession session;

  Relay(Recorder own, WorkerSession session) {
    this.own = own;
    this.session = session;
  }

  void beforeTraining(int node, Metric figure) {
    own.beforeTraining(node, figure);
    session.tell(new Event.Before(node, figure.name(), figure.value()));
  }

  @Override
  public boolean evaluationDue(int node, int round) {
    return own.evaluationDue(node, round);
  }

  @Override
  public List<Metric> evaluate(int node, int round, Learner learner) {
    return own.evaluate(node, round, learner);
  }

  @Override
  public boolean averageDue(int node, int round) {
    return own.averageDue(node, round);
  }

  @Override
  public List<Metric> evaluateAverage(AverageModel average) {
    return own.evaluateAverage(average);
  }

  @Override
  public void record(int node, int round, String metric, double value, Duration time) {
    own.record(node, round, metric, value, time);
    if (node == Observer.AVERAGE) {
      // What is said of all nodes is said where all are known.
      return;
    }
    session.tell(new Event.Figure(node, round, metric, value, time));
  }

  @Override
  public void roundFinished(NodeReport report) {
    own.roundFinished(report);
    session.tell(new Event.RoundFinished(report));
  }

  @Override
  public void reported(NodeReport report) {
    own.reported(report);
    session.tell(new Event.Reported(report));
  }

  @Override
  public boolean countsLinks() {
    return own.countsLinks();
  }

  @Override
  public boolean linksDue(int round) {
    return own.linksDue(round);
  }

  @Override
  public void sent(int node, int peer, long bytes) {
    own.sent(node, peer, bytes);
    session.tell(new Event.Sent(node, peer, bytes, session.time()));
  }

  @Override
  public void thrown(int node, int round, Throwable failure) {
    own.thrown(node, round, failure);
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    session.tell(
        new Event.Thrown(
            node,
            round,
            failure instanceof DivergedException,
            text.toString().strip(),
            session.time()));
  }

  @Override
  public void faultStruck(InjectedFault fault) {
    own.faultStruck(fault);
    session.tell(new Event.FaultStruck(fault, session.time()));
  }

  @Override
  public void nodeWentDown(int node) {
    own.nodeWentDown(node);
    session.tell(new Event.WentDown(node, session.time()));
  }

  @Override
  public void nodeIsBack(int node, int round, int missed) {
    own.nodeIsBack(node, round, missed);
    session.tell(new Event.IsBack(node, round, missed, session.time()));
  }

  @Override
  public void nodeEnded(NodeOutcome outcome) {
    own.nodeEnded(outcome);
    session.tell(new Event.Ended(outcome, session.time()));
  }
}
