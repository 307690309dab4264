package dev.grapevine.exchange;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Averaging;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.CommonValues;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One vector of a node and how it is mixed with those of others. A protocol in step calls {@link
 * #mix} once a round; one that is not takes the parts: {@link #encode} and {@link #combine}, or
 * {@link #send} and {@link #receive} between them.
 *
 * <p>Not safe for concurrent use; all methods belong to the node's own thread, the work is done on
 * a compute thread meanwhile.
 */
public final class Exchange {

  /** By how much weights that add up to one may miss it. */
  private static final double ROUNDING = 1e-6;

  /** Stands in the place of the sender of a sum. */
  private static final int NOBODY = -1;

  private final int channel;
  private final float[] vector;
  private final Encoding encoding;
  private final Aggregator rule;
  private final List<Step> steps;
  private final Carrier carrier;
  private final @Nullable SecretSum secret;

  /**
   * @param channel the exchange's number in frames: 0 for the model
   * @param vector the node's vector, on which {@code encoding} was built
   */
  public Exchange(
      int channel,
      float[] vector,
      Encoding encoding,
      Aggregator rule,
      List<Step> steps,
      Carrier carrier) {
    this(channel, vector, encoding, rule, steps, carrier, null);
  }

  /**
   * @param secret how neighbours are added up without being heard one by one; null in the open
   */
  public Exchange(
      int channel,
      float[] vector,
      Encoding encoding,
      Aggregator rule,
      List<Step> steps,
      Carrier carrier,
      @Nullable SecretSum secret) {
    if (secret != null && !(encoding.addsUp() && encoding.hasCommonCoordinates())) {
      throw new IllegalArgumentException(
          "what this exchange sends cannot be added up under masks: channel=" + channel);
    }
    this.channel = channel;
    this.vector = vector;
    this.encoding = encoding;
    this.rule = rule;
    this.steps = List.copyOf(steps);
    this.carrier = carrier;
    this.secret = secret;
  }

  /** The vector that is mixed. */
  public float[] vector() {
    return vector;
  }

  /** Whether every message speaks of every coordinate. */
  public boolean isWhole() {
    return encoding.isWhole();
  }

  /** Whether neighbours hear only sums of what others say. */
  public boolean isSecret() {
    return secret != null;
  }

  /** Tells the neighbours of the topology, hears from them, and combines. */
  public void mix(int round, Neighbourhood neighbours) throws InterruptedException {
    mix(round, neighbours, peer -> carrier.neighbours(peer, round));
  }

  /**
   * The same with neighbours of the protocol's own.
   *
   * @param views what the node knows of those whom it sends to; asked only where sums are secret
   */
  public void mix(int round, Neighbourhood neighbours, Views views) throws InterruptedException {
    if (secret == null) {
      send(round, neighbours, encode(round, neighbours));
      combine(receive(round, neighbours));
    } else {
      mixSecretly(secret, round, neighbours, views);
    }
  }

  private void mixSecretly(SecretSum secret, int round, Neighbourhood neighbours, Views views)
      throws InterruptedException {
    SecretSum.Said[] said = new SecretSum.Said[1];
    int[] count = new int[1];
    carrier.share(scratch ->
        said[0] =
            changed(
                round,
                () -> {
                  CommonValues own = encoding.values(round, scratch);
                  count[0] = own.count();
                  return secret.mask(
                      channel, round, neighbours, views, own.values(), own.count(), scratch);
                }));
    secret.passTime();
    carrier.send(said[0].to(), channel, round, said[0].outgoing());
    Received received =
        secret.isSafe(neighbours)
            ? carrier.receive(neighbours, channel, round)
            : new Received(round, 1, List.of());
    Optional<SecretSum.Sum> sum = secret.open(channel, neighbours, received, count[0]);
    carrier.share(scratch ->
        encoding.combine(
            sum.map(all -> heard(round, neighbours, all, scratch)).orElse(nothing(round)),
            rule,
            scratch));
  }

  /** A sum, as if one had said it who counts as much as all who are in it. */
  private Heard heard(int round, Neighbourhood own, SecretSum.Sum sum, Scratch scratch) {
    // Of a node whose own vector does not count, such as a server's, the rest counts the more.
    double weight = own.selfWeight() == 0 ? 1 : sum.weight();
    Update mean = encoding.update(round, sum.mean(), scratch);
    return new Heard(
        round,
        1 - weight,
        Averaging.MIXING_WEIGHTS,
        List.of(new Heard.Weighted(NOBODY, weight, mean)));
  }

  private static Heard nothing(int round) {
    return new Heard(round, 1, Averaging.MIXING_WEIGHTS, List.of());
  }

  /** What this node says in {@code round}. */
  public Outgoing encode(int round, Neighbourhood to) throws InterruptedException {
    Outgoing[] result = new Outgoing[1];
    carrier.share(scratch -> result[0] = encode(round, to, scratch));
    return result[0];
  }

  private Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    return changed(round, () -> encoding.encode(round, to, scratch));
  }

  /** Says something of the vector as the steps change it; the vector is as before afterwards. */
  private <T> T changed(int round, Supplier<T> saying) {
    if (steps.isEmpty()) {
      return saying.get();
    }
    float[] truth = vector.clone();
    steps.forEach(step -> step.apply(round, vector));
    T said = saying.get();
    System.arraycopy(truth, 0, vector, 0, truth.length);
    return said;
  }

  /** Sends what was encoded to every peer that {@code to} sends to. */
  public void send(int round, Neighbourhood to, Outgoing outgoing) throws InterruptedException {
    carrier.send(to, channel, round, outgoing);
  }

  /**
   * Waits for the round's payloads from everyone {@code from} hears from, until the deadline of the
   * experiment's fault policy. Payloads of later rounds are kept, those of earlier rounds dropped.
   */
  public Received receive(int round, Neighbourhood from) throws InterruptedException {
    return carrier.receive(from, channel, round);
  }

  /**
   * Combines what came with the node's own vector, in place. A payload that makes no sense is left
   * out, if the experiment lets the node go on: of a mean, its weight goes to the node itself, or
   * to the others where the node's own vector does not count; of a plain sum, whose weights add up
   * to more than one, it is missing.
   *
   * @return the senders whose payloads made sense
   */
  public int[] combine(Received received) throws InterruptedException {
    List<Heard.Weighted> updates = new ArrayList<>(received.contributions().size());
    carrier.share(scratch -> {
      double lost = decode(received, updates, scratch);
      if (encoding.combinesInPlace()) {
        if (combineIfFinite(heard(received, updates, lost), scratch)) {
          return;
        }
        lost += dropWhatIsNotFinite(updates);
      }
      encoding.combine(heard(received, updates, lost), rule, scratch);
    });
    return updates.stream().mapToInt(Heard.Weighted::sender).toArray();
  }

  /**
   * Has the rule look at its result in place of all that went into it, so that messages are read
   * once instead of twice.
   *
   * @return whether that was enough; otherwise the vector is as before
   */
  private boolean combineIfFinite(Heard heard, Scratch scratch) {
    Look look = new Look(rule);
    encoding.combine(heard, look, scratch);
    return look.isFinite;
  }

  /** The rule, where it finds its result finite. */
  private static final class Look implements Aggregator {

    private final Aggregator rule;
    private boolean isFinite;

    Look(Aggregator rule) {
      this.rule = rule;
    }

    @Override
    public void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch) {
      isFinite = rule.combineIfFinite(own, size, heard, scratch);
    }
  }

  /**
   * @return the weight of what was dropped
   */
  private double dropWhatIsNotFinite(List<Heard.Weighted> updates) {
    double lost = 0;
    for (Heard.Weighted each : List.copyOf(updates)) {
      try {
        each.update().requireFinite();
      } catch (MalformedPayloadException malformed) {
        carrier.reject(each.sender(), malformed);
        updates.remove(each);
        lost += each.weight();
      }
    }
    return lost;
  }

  /** Makes a whole vector that came, as {@link Update#payload} writes it, the node's own. */
  public void replace(int sender, Payload whole) throws InterruptedException {
    carrier.share(scratch -> {
      try {
        Update.ofBytes(whole, vector.length).requireFinite().read(0, vector.length, vector, vector);
      } catch (MalformedPayloadException malformed) {
        carrier.reject(sender, malformed);
      }
    });
  }

  /**
   * @return the weight of what made no sense
   */
  private double decode(Received received, List<Heard.Weighted> updates, Scratch scratch) {
    double lost = 0;
    for (Contribution each : received.contributions()) {
      try {
        Update update = encoding.decode(each.sender(), received.round(), each.payload(), scratch);
        updates.add(
            new Heard.Weighted(
                each.sender(),
                each.weight(),
                // What is combined in place is looked at then; the rest while it is in the cache.
                encoding.combinesInPlace() ? update : update.requireFinite()));
      } catch (MalformedPayloadException malformed) {
        carrier.reject(each.sender(), malformed);
        lost += each.weight();
      }
    }
    return lost;
  }

  private static Heard heard(Received received, List<Heard.Weighted> updates, double lost) {
    double total = received.selfWeight();
    for (Contribution each : received.contributions()) {
      total += each.weight();
    }
    boolean isSum = total > 1 + ROUNDING;
    double selfWeight = received.selfWeight();
    List<Heard.Weighted> counted = updates;
    if (lost > 0 && !isSum && selfWeight == 0) {
      double kept = total - lost;
      counted =
          updates.stream()
              .map(each -> new Heard.Weighted(each.sender(), each.weight() / kept, each.update()))
              .toList();
    } else if (!isSum) {
      selfWeight += lost;
    }
    return new Heard(received.round(), selfWeight, Averaging.MIXING_WEIGHTS, counted);
  }
}
