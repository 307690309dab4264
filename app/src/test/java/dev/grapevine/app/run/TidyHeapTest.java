package dev.grapevine.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run's heap stays near what lives in it. */
final class TidyHeapTest {

  private static final long MEBI = 1L << 20;

  @Test
  void garbageMayBeAsMuchAsWhatLives() {
    assertThat(TidyHeap.limit(0, 8192 * MEBI, 192 * MEBI)).isEqualTo(192 * MEBI);
    assertThat(TidyHeap.limit(500 * MEBI, 8192 * MEBI, 192 * MEBI)).isEqualTo(1000 * MEBI);
    assertThat(TidyHeap.limit(5000 * MEBI, 8192 * MEBI, 192 * MEBI)).isEqualTo(8192 * MEBI);
  }

  /** In a virtual machine with the launcher's flags, which promotes what lives for some time. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseParallelGC", "-XX:+UseSerialGC"})
  void theOldGenerationIsClearedLongBeforeItIsFull(String collector) throws Exception {
    assertThat(peak("open", collector)).isLessThan(500 * MEBI);
    assertThat(peak("closed", collector)).isGreaterThan(600 * MEBI);
  }

  private static long peak(String how, String collector) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    collector,
                    "-Xms48m",
                    "-Xmx1g",
                    "-XX:MaxNewSize=96m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Rounds.class.getName(),
                    how))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes()).strip();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(said).matches("\\d+");
    return Long.parseLong(said);
  }

  /** Messages that live for a round or two, as those of many nodes do; prints the largest heap. */
  static final class Rounds {

    private Rounds() {}

    public static void main(String[] arguments) {
      TidyHeap heap = arguments[0].equals("open") ? TidyHeap.open() : null;
      MemoryPoolMXBean old =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> List.of("PS Old Gen", "Tenured Gen").contains(pool.getName()))
              .findFirst()
              .orElseThrow();
      Deque<byte[]> underWay = new ArrayDeque<>();
      for (int message = 0; message < 12_000; message++) {
        underWay.add(new byte[256 << 10]);
        if (underWay.size() > 200) {
          underWay.remove();
        }
        // On a busy machine the one who tidies up may come late, which is not what is tried here.
        while (heap != null && old.isUsageThresholdExceeded()) {
          Thread.onSpinWait();
        }
      }
      System.out.println(old.getPeakUsage().getUsed());
      if (heap != null) {
        heap.close();
      }
    }
  }
}
