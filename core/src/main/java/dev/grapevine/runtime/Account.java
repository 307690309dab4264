package dev.grapevine.runtime;

import dev.grapevine.message.Payload;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.runtime.report.Traffic;
import dev.grapevine.state.State;
import java.time.Duration;

/** What a node knows of its own run: where it is, what it sent and where its time went. */
final class Account {

  private final Host host;

  /** The round it is at; what a message is numbered with may be anything but to a server. */
  private int round;

  private int roundsFinished;

  /** The round of its own that it is in; a client has none. Asked from anywhere. */
  private volatile int ownRound;

  /**
   * The round of its own that it has begun last: it may still rest at the end of the one before.
   */
  private volatile int begun;

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

  /** When the present wait between two requests or for a cut began. */
  private long waitingSince = NOT_WAITING;

  private static final long NOT_WAITING = -1;

  Account(Host host) {
    this.host = host;
  }

  /** Declares all of it; where it is at follows from where it begins. */
  void declare(State state) {
    state.values(
        "account",
        () ->
            new long[] {
              round,
              roundsFinished,
              trainings,
              Double.doubleToRawLongBits(trainLoss),
              messagesSent,
              payloadSent,
              metadataSent,
              trainNanos,
              shareNanos,
              waitNanos + (waitingSince == NOT_WAITING ? 0 : host.now() - waitingSince),
              evaluateNanos,
              processorNanos,
              ownRound
            },
        saved -> {
          round = (int) saved[0];
          roundsFinished = (int) saved[1];
          trainings = (int) saved[2];
          trainLoss = Double.longBitsToDouble(saved[3]);
          messagesSent = saved[4];
          payloadSent = saved[5];
          metadataSent = saved[6];
          trainNanos = saved[7];
          shareNanos = saved[8];
          waitNanos = saved[9];
          evaluateNanos = saved[10];
          processorNanos = saved[11];
          ownRound = (int) saved[12];
          begun = ownRound;
        });
  }

  /** Begins a wait during which the node may be saved. */
  void beginWait() {
    waitingSince = host.now();
  }

  void endWait() {
    waitedSince(waitingSince);
    waitingSince = NOT_WAITING;
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
    ownRound = round + 1;
  }

  /** The rounds before are over without the node. */
  void skipTo(int round) {
    this.round = Math.max(this.round, round);
    ownRound = Math.max(ownRound, round);
    begun = Math.max(begun, round);
  }

  /** Begins a round of its own. */
  void begins(int round) {
    begun = round;
  }

  int begun() {
    return begun;
  }

  int ownRound() {
    return ownRound;
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
