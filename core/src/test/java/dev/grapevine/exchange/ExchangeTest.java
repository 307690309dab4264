package dev.grapevine.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.aggregation.Update;
import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What becomes of the weight of a payload that makes no sense, and what a step changes. */
final class ExchangeTest {

  private static final Payload NONSENSE = Payload.of(new byte[3]);

  private final float[] vector = {8, 8};
  private final Forgiving carrier = new Forgiving();

  /** Goes on without what makes no sense, as a node under the policy go-on does. */
  private static final class Forgiving implements Carrier {

    final List<Integer> rejected = new ArrayList<>();

    @Override
    public void send(Neighbourhood to, int channel, int round, Outgoing outgoing) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Received receive(Neighbourhood from, int channel, int round) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void share(Consumer<Scratch> work) {
      work.accept(new Scratch());
    }

    @Override
    public void reject(int sender, MalformedPayloadException complaint) {
      rejected.add(sender);
    }
  }

  private Exchange exchange(Step... steps) {
    return exchange(vector, steps);
  }

  private Exchange exchange(float[] vector, Step... steps) {
    SharingContext context = new SharingContext(0, 4, vector, List.of(), 1, new Random(1));
    return new Exchange(
        0, vector, FullSharing.raw(context), new WeightedMean(), List.of(steps), carrier);
  }

  private static Contribution says(int sender, double weight, float value) {
    return new Contribution(sender, weight, Update.payload(new float[] {value, value}));
  }

  @Test
  void ofAMeanTheWeightGoesToTheNodeItself() throws InterruptedException {
    int[] heard =
        exchange()
            .combine(
                new Received(
                    0, 0.5, List.of(says(1, 0.25, 4), new Contribution(2, 0.25, NONSENSE))));
    assertThat(vector).containsExactly(7, 7);
    assertThat(heard).containsExactly(1);
    assertThat(carrier.rejected).containsExactly(2);
  }

  @Test
  void atAServerTheWeightGoesToTheOthers() throws InterruptedException {
    exchange()
        .combine(
            new Received(
                0,
                0,
                List.of(says(1, 0.25, 4), new Contribution(2, 0.5, NONSENSE), says(3, 0.25, 6))));
    assertThat(vector).containsExactly(5, 5);
  }

  @Test
  void aServerThatHearsOnlyNonsenseKeepsItsModel() throws InterruptedException {
    exchange().combine(new Received(0, 0, List.of(new Contribution(2, 1, NONSENSE))));
    assertThat(vector).containsExactly(8, 8);
  }

  @Test
  void ofASumItIsMissing() throws InterruptedException {
    exchange()
        .combine(new Received(0, 1, List.of(says(1, 1, 4), new Contribution(2, 1, NONSENSE))));
    assertThat(vector).containsExactly(12, 12);
  }

  @Test
  void whatIsNotFiniteIsLeftOutAndRejectedOnce() throws InterruptedException {
    Contribution diverged =
        new Contribution(3, 0.125, Update.payload(new float[] {1, Float.POSITIVE_INFINITY}));
    int[] heard =
        exchange()
            .combine(
                new Received(
                    0,
                    0.5,
                    List.of(says(1, 0.25, 4), new Contribution(2, 0.125, NONSENSE), diverged)));
    assertThat(vector).containsExactly(7, 7);
    assertThat(heard).containsExactly(1);
    assertThat(carrier.rejected).containsExactly(2, 3);
  }

  @Test
  void whatIsNotFiniteAtItsEndLeavesNoTraceAtItsBeginning() throws InterruptedException {
    float[] own = new float[10_000];
    Arrays.fill(own, 8);
    float[] good = new float[own.length];
    Arrays.fill(good, 4);
    float[] diverged = good.clone();
    diverged[own.length - 1] = Float.NaN;
    exchange(own)
        .combine(
            new Received(
                0,
                0.5,
                List.of(
                    new Contribution(1, 0.25, Update.payload(good)),
                    new Contribution(2, 0.25, Update.payload(diverged)))));
    assertThat(own).containsOnly(7);
    assertThat(carrier.rejected).containsExactly(2);
  }

  @Test
  void atAServerWhatIsNotFiniteLeavesItsWeightToTheOthers() throws InterruptedException {
    exchange()
        .combine(
            new Received(
                0,
                0,
                List.of(
                    says(1, 0.2, 4),
                    says(2, 0.5, Float.NaN),
                    says(3, 0.2, 6),
                    new Contribution(4, 0.1, NONSENSE))));
    assertThat(vector).containsExactly(5, 5);
  }

  @Test
  void finiteTermsMayAddUpToWhatIsNot() throws InterruptedException {
    int[] heard =
        exchange().combine(new Received(0, 1, List.of(says(1, 1, 3e38f), says(2, 1, 3e38f))));
    assertThat(vector).containsOnly(Float.POSITIVE_INFINITY);
    assertThat(heard).containsExactly(1, 2);
    assertThat(carrier.rejected).isEmpty();
  }

  @Test
  void aStepChangesWhatIsSaidAndNotWhatIsSo() throws InterruptedException {
    Payload said =
        exchange((round, update) -> update[0] += 100 + round)
            .encode(3, Neighbourhood.alone(0))
            .to(1);
    assertThat(said.buffer().getFloat()).isEqualTo(111);
    assertThat(vector).containsExactly(8, 8);
  }

  @Test
  void byHandNonsenseIsThrown() {
    SharingContext context = new SharingContext(0, 4, vector, List.of(), 1, new Random(1));
    Exchange exchange =
        new Exchange(
            0, vector, FullSharing.raw(context), new WeightedMean(), List.of(), new ByHand());
    Received received = new Received(0, 0.5, List.of(new Contribution(2, 0.5, NONSENSE)));
    assertThatThrownBy(() -> exchange.combine(received))
        .isInstanceOfSatisfying(
            MalformedPayloadException.class,
            complaint -> assertThat(complaint.sender()).hasValue(2));
    assertThat(vector).containsExactly(8, 8);
  }
}
