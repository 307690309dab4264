package dev.grapevine.runtime;

import dev.grapevine.exchange.SecretSum;
import dev.grapevine.learning.Learner;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a node where a round of its own ends and the next begins: it is evaluated and
 * told of, others may come back or it goes down itself, and it may be saved.
 */
final class RoundEnd {

  private final int id;
  private final Plan plan;
  private final Host host;
  private final Observer observer;
  private final AverageCollector averages;
  private final Account account;
  private final Post post;
  private final Memory memory;
  private final Acquaintance acquaintance;

  RoundEnd(
      Plan plan,
      Host host,
      Observer observer,
      AverageCollector averages,
      Account account,
      Post post,
      Memory memory,
      Acquaintance acquaintance) {
    id = host.id();
    this.plan = plan;
    this.host = host;
    this.observer = observer;
    this.averages = averages;
    this.account = account;
    this.post = post;
    this.memory = memory;
    this.acquaintance = acquaintance;
  }

  /**
   * The node is through a round.
   *
   * @param secret what it keeps secret; null if nothing
   */
  void pass(int round, Learner learner, @Nullable SecretSum secret) throws InterruptedException {
    account.isIn(round);
    evaluate(round, learner);
    recordLosses(round);
    account.finished(round);
    if (observer.linksDue(round)) {
      post.tellLinks();
      tellSecrets(round, secret);
    }
    observer.roundFinished(account.report(round));
    acquaintance.answerAll();
    memory.keepRound();
    host.endRound(round);
    if (plan.saving().cuts().due(round)) {
      save(round);
    }
    begin(round + 1);
  }

  private void evaluate(int round, Learner learner) throws InterruptedException {
    boolean average = observer.averageDue(id, round);
    boolean own = observer.evaluationDue(id, round);
    List<Metric> metrics = new ArrayList<>(0);
    if (average || own) {
      host.evaluate(() -> {
        Stopwatch watch = new Stopwatch();
        if (average) {
          averages.add(id, round, learner);
        }
        if (own) {
          metrics.addAll(observer.evaluate(id, round, learner));
        }
        account.evaluated(watch);
      });
    }
    averages.passed(id, round, host.now());
    for (Metric metric : metrics) {
      record(round, metric.name(), metric.value());
    }
  }

  /** A round begins, unless it is just being decided who enters where. */
  void begin(int round) {
    if (host.lives().isUsed()) {
      host.lives().whileNobodyEnters(() -> account.begins(round));
    }
  }

  /** Records what is missing of a run in which something goes wrong on purpose. */
  private void recordLosses(int round) {
    recordLost(round);
    Lives lives = host.lives();
    if (lives.isUsed()) {
      lives
          .aliveAfter(round)
          .ifPresent(
              alive -> observer.record(Observer.AVERAGE, round, "nodes_alive", alive, time()));
    }
  }

  private void recordLost(int round) {
    post.lost().ifPresent(lost -> record(round, "messages_lost", lost));
  }

  private void save(int round) throws InterruptedException {
    if (host.savesInPassing()) {
      plan.saving().cuts().save(round, id, memory.view());
    } else {
      rest(round);
    }
  }

  /** Waits until all nodes have been saved. */
  void rest(int round) throws InterruptedException {
    account.beginWait();
    host.awaitCut(round);
    account.endWait();
  }

  /** Tells what else is told at the end of rounds, of a node that has none of its own. */
  void tellWithoutRound(@Nullable SecretSum secret) {
    tellSecrets(account.round(), secret);
    recordLost(account.round());
  }

  /** Records how it went with what is kept secret: sums since the beginning of the run. */
  private void tellSecrets(int round, @Nullable SecretSum secret) {
    if (secret != null) {
      secret.figures().forEach((name, value) -> record(round, name, value));
    }
  }

  private void record(int round, String metric, double value) {
    observer.record(id, round, metric, value, time());
  }

  private Duration time() {
    return Duration.ofNanos(host.now());
  }
}
