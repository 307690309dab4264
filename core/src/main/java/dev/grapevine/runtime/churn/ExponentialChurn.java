package dev.grapevine.runtime.churn;

import dev.grapevine.random.RandomStreams;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.topology.NodeSet;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Nodes fail and recover without memory: how long one is up and how long it is down are independent
 * and exponential, −mean · ln(1 − u), drawn from a stream of its own by the run's seed. All nodes
 * begin up. Availability tends to up / (up + down).
 */
@Kind(
    name = "rate",
    summary = "exponential times up and down, by the run's seed",
    paper = "the alternating renewal model of machine repair")
public final class ExponentialChurn implements Churn {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The settings of {@link ExponentialChurn}. */
  public record Settings(
      @Doc("how long a node is up on average, such as \"10 min\"") Optional<Duration> up,
      @Doc("how long it is down on average") Optional<Duration> down,
      @Doc("the same in rounds, in place of up: the same run on every clock")
          OptionalDouble upRounds,
      @Doc("the same in rounds, in place of down") OptionalDouble downRounds,
      @Doc("share of absences from which a node does not come back, from 0 to 1") @Default("0")
          double forGood,
      @Doc("which nodes come and go, as in \"0-3,7\"") @Default("all") String nodes,
      @Doc("what they come back with: memory, checkpoint, fresh or neighbour") @Default("memory")
          ComesBackWith with) {

    public Settings {
      SettingException.require(
          (up.isPresent() && down.isPresent() && upRounds.isEmpty() && downRounds.isEmpty())
              || (upRounds.isPresent() && downRounds.isPresent() && up.isEmpty() && down.isEmpty()),
          "up",
          "give up and down, such as \"10 min\" and \"1 min\", or up-rounds and down-rounds");
      SettingException.require(
          up.orElse(SHORTEST).compareTo(SHORTEST) >= 0
              && down.orElse(SHORTEST).compareTo(SHORTEST) >= 0,
          "up",
          "up and down must be at least 1 ms");
      SettingException.require(
          upRounds.orElse(1) > 0 && downRounds.orElse(1) > 0,
          "up-rounds",
          "up-rounds and down-rounds must be positive");
      SettingException.require(
          forGood >= 0 && forGood <= 1,
          "for-good",
          "for-good must be from 0 to 1: for-good=" + forGood);
    }
  }

  private final Settings settings;
  private final NodeSet nodes;
  private final long seed;

  public ExponentialChurn(Settings settings, ChurnContext context) {
    this.settings = settings;
    this.seed = context.seed();
    try {
      nodes = NodeSet.parse(settings.nodes(), context.nodes());
    } catch (IllegalArgumentException wrong) {
      throw new SettingException("nodes", String.valueOf(wrong.getMessage()));
    }
  }

  @Override
  public Iterator<Absence> absences(int node) {
    return nodes.contains(node) ? new Draws(node) : Churn.never();
  }

  @Override
  public Set<ComesBackWith> ways() {
    return Set.of(settings.with());
  }

  private final class Draws implements Iterator<Absence> {

    private final RandomGenerator random;
    private final boolean byRounds = settings.upRounds().isPresent();
    private long at;
    private boolean left;

    Draws(int node) {
      random = RandomStreams.of(seed, node, "churn");
    }

    @Override
    public boolean hasNext() {
      return !left;
    }

    @Override
    public Absence next() {
      if (left) {
        throw new NoSuchElementException();
      }
      at += drawn(settings.up(), settings.upRounds());
      Moment from = new Moment(byRounds, at);
      at += drawn(settings.down(), settings.downRounds());
      left = random.nextDouble() < settings.forGood();
      return new Absence(from, left ? null : new Moment(byRounds, at), settings.with());
    }

    /** At least one, so that nobody goes down where it came back. */
    private long drawn(Optional<Duration> time, OptionalDouble rounds) {
      double mean = byRounds ? rounds.orElse(1) : time.orElse(Duration.ZERO).toNanos();
      return Math.max(1, Math.round(-mean * Math.log1p(-random.nextDouble())));
    }
  }
}
