package dev.grapevine.runtime;

import dev.grapevine.message.Payload;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.runtime.report.Traffic;
import java.time.Duration;

/** What a node knows of its own run: where it is, what it sent and where its time went. */
final class Account {

  private final Host host;

  /** The round it is at; what a message is numbered with may be anything but to a server. */
  private int round;

  private int roundsFinished;
  private int trainings;
  private double trainLoss = Double.NaN;
  private long messagesSent;
  private long payloadSent;
  private long metadataSent;
  private long trainNanos;
  private long shareNanos;
  private long waitNanos;
  private long evaluateNanos;
  private long processorNanos;

  Account(Host host) {
    this.host = host;
  }

  int round() {
    return round;
  }

  void isIn(int round) {
    this.round = round;
  }

  void finished(int round) {
    roundsFinished = Math.max(roundsFinished, round + 1);
    this.round = round + 1;
  }

  int roundsFinished() {
    return roundsFinished;
  }

  double trainLoss() {
    return trainLoss;
  }

  /** Counts a training; how many there were before. */
  int beginTraining() {
    return trainings++;
  }

  void trained(double loss, Stopwatch watch) {
    trainLoss = loss;
    trainNanos += watch.nanos();
    processorNanos += watch.processorNanos();
  }

  void shared(long nanos) {
    shareNanos += nanos;
  }

  void evaluated(Stopwatch watch) {
    evaluateNanos += watch.nanos();
    processorNanos += watch.processorNanos();
  }

  /** On the clock of the run. */
  void waitedSince(long begin) {
    waitNanos += host.now() - begin;
  }

  void sent(Payload payload) {
    messagesSent++;
    payloadSent += payload.size();
    metadataSent += payload.metadataSize();
  }

  Traffic traffic() {
    Mailbox mailbox = host.mailbox();
    return new Traffic(
        messagesSent,
        payloadSent,
        metadataSent,
        mailbox.messages(),
        mailbox.payloadBytes(),
        mailbox.metadataBytes());
  }

  PhaseTimes phases() {
    return new PhaseTimes(
        Duration.ofNanos(trainNanos),
        Duration.ofNanos(shareNanos),
        Duration.ofNanos(waitNanos),
        Duration.ofNanos(evaluateNanos),
        Duration.ofNanos(processorNanos));
  }

  /** How the node stands at the end of {@code round}. */
  NodeReport report(int round) {
    return new NodeReport(
        host.id(), round, Duration.ofNanos(host.now()), trainLoss, traffic(), phases());
  }
}
