package dev.grapevine.runtime.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventQueueTest {

  private record Numbered(long time, int number) implements Event {

    static final Comparator<Numbered> ORDER =
        Comparator.comparingLong(Numbered::time).thenComparingInt(Numbered::number);

    @Override
    public @Nullable SimulatedHost happen(Simulation simulation) {
      return null;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eventsComeByTimeAndFirstComeFirstServed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue();
    List<Numbered> expected = new ArrayList<>();
    List<Event> taken = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      Numbered event = new Numbered(random.nextLong(50), i);
      expected.add(event);
      queue.push(event.time(), event);
    }
    expected.sort(Numbered.ORDER);
    for (int i = 0; i < 3000; i++) {
      taken.add(queue.pop());
      assertThat(queue.time()).isEqualTo(expected.get(i).time());
    }
    assertThat(taken).isEqualTo(expected);
    assertThat(queue.pop()).isNull();
  }

  /** Pushes and pops in bursts, from many events of one instant to few that are ages apart. */
  @ParameterizedTest
  @CsvSource({
    "1, 0", "2, 1", "3, 3", "4, 6", "5, 12", "6, 24", "7, 40", "8, 62", "9, 63", "10, 2", "11, 20"
  })
  void doesAsAPriorityQueueDoes(long seed, int largestStepInBits) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue();
    PriorityQueue<Numbered> expected = new PriorityQueue<>(Numbered.ORDER);
    int number = 0;
    long now = 0;
    for (int burst = 0; burst < 300; burst++) {
      for (int pushes = random.nextInt(200); pushes > 0; pushes--) {
        Numbered event = new Numbered(later(now, largestStepInBits, random), number++);
        queue.push(event.time(), event);
        expected.add(event);
      }
      assertThat(queue.size()).isEqualTo(expected.size());
      for (int pops = random.nextInt(200); pops > 0; pops--) {
        Numbered next = expected.poll();
        assertThat(queue.pop()).isSameAs(next);
        now = next == null ? now : next.time();
        assertThat(queue.time()).isEqualTo(now);
      }
    }
  }

  /** Mostly within a few bits, so that there are ties; never past the end of time. */
  private static long later(long now, int bits, SplittableRandom random) {
    long step = bits == 0 ? 0 : random.nextLong() >>> (Long.SIZE - 1 - random.nextInt(bits));
    return step > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + Math.max(0, step);
  }

  @Test
  void holdsTheFirstAndTheLastInstant() {
    EventQueue queue = new EventQueue();
    Numbered last = new Numbered(Long.MAX_VALUE, 0);
    Numbered first = new Numbered(0, 1);
    queue.push(last.time(), last);
    queue.push(first.time(), first);
    assertThat(queue.pop()).isSameAs(first);
    assertThat(queue.pop()).isSameAs(last);
    Numbered another = new Numbered(Long.MAX_VALUE, 2);
    queue.push(another.time(), another);
    assertThat(queue.pop()).isSameAs(another);
    assertThat(queue.pop()).isNull();
    assertThat(queue.time()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void refusesThePast() {
    EventQueue queue = new EventQueue();
    Numbered event = new Numbered(5, 0);
    queue.push(event.time(), event);
    queue.pop();
    assertThatThrownBy(() -> queue.push(4, event))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at=4, now=5");
  }
}
