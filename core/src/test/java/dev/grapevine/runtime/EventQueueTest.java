package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventQueueTest {

  private record Numbered(long time, int number) implements Event {

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
    expected.sort(Comparator.comparingLong(Numbered::time).thenComparingInt(Numbered::number));
    for (int i = 0; i < 3000; i++) {
      taken.add(queue.pop());
      assertThat(queue.time()).isEqualTo(expected.get(i).time());
    }
    assertThat(taken).isEqualTo(expected);
    assertThat(queue.pop()).isNull();
  }
}
