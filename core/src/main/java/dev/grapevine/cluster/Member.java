package dev.grapevine.cluster;

import dev.grapevine.runtime.Company;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A worker as the coordinator knows it. Only what is volatile may be touched by other threads. */
final class Member {

  private final int rank;
  private final Control.Join join;
  private final ControlChannel channel;
  private volatile long lastHeard = System.nanoTime();
  private volatile Company.@Nullable Standing standing;
  private volatile long reports;
  private Control.@Nullable Keys keys;
  private boolean ready;
  private boolean nodesEnded;
  private boolean saidBye;
  private boolean gone;
  private boolean keeps = true;
  private int incarnation;
  private boolean isSaved = true;
  private long until = Long.MIN_VALUE;

  Member(Control.Join join, ControlChannel channel) {
    this.rank = join.rank();
    this.join = join;
    this.channel = channel;
  }

  int rank() {
    return rank;
  }

  Control.Join join() {
    return join;
  }

  ControlChannel channel() {
    return channel;
  }

  /** Such as {@code worker 2 on host7}. */
  String name() {
    return "worker %d on %s".formatted(rank, join.host());
  }

  /** Sends; one who cannot be reached is noticed by whoever reads from it. */
  void tell(Control message) {
    if (!gone) {
      try {
        channel.send(message);
      } catch (IOException e) {
        channel.close();
      }
    }
  }

  void heard() {
    lastHeard = System.nanoTime();
  }

  long silentFor(long now) {
    return now - lastHeard;
  }

  void standing(Control.Heartbeat heartbeat) {
    standing =
        new Company.Standing(
            heartbeat.sent(),
            heartbeat.settled(),
            heartbeat.stuck(),
            heartbeat.rests(),
            heartbeat.waits());
    reports++;
  }

  Company.@Nullable Standing standing() {
    return standing;
  }

  /** Whether all of its nodes rested when it last told. */
  boolean rests() {
    Company.Standing last = standing;
    return last != null && last.rests();
  }

  /** How often it has told where it stands. */
  long reports() {
    return reports;
  }

  Control.@Nullable Keys keys() {
    return keys;
  }

  void keys(Control.Keys told) {
    keys = told;
  }

  boolean isReady() {
    return ready;
  }

  void setReady() {
    ready = true;
  }

  boolean haveNodesEnded() {
    return nodesEnded;
  }

  void setNodesEnded() {
    nodesEnded = true;
  }

  boolean hasSaidBye() {
    return saidBye;
  }

  void setSaidBye() {
    saidBye = true;
  }

  /** Whether it has kept all messages that one who comes back would need. */
  boolean keepsMessages() {
    return keeps;
  }

  void keepsNoMore() {
    keeps = false;
  }

  /** How often the worker of its rank has been replaced. */
  int incarnation() {
    return incarnation;
  }

  void incarnation(int number) {
    incarnation = number;
  }

  /** Whether its nodes are saved with all others; not before it has begun, if it comes back. */
  boolean isSaved() {
    return isSaved;
  }

  void setSaved(boolean saved) {
    isSaved = saved;
  }

  boolean isGone() {
    return gone;
  }

  void setGone() {
    gone = true;
  }

  /** Up to when all that has happened is known. */
  long until() {
    return until;
  }

  void until(long time) {
    until = Math.max(until, time);
  }
}
