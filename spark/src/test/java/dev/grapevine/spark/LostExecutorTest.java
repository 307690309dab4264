package dev.grapevine.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.deploy.ClusterEngine.Order;
import dev.grapevine.app.deploy.ClusterEngine.Started;
import dev.grapevine.app.deploy.ClusterEngine.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors in processes of their own, one of which is killed. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LostExecutorTest {

  /**
   * Tells whose child it is, then waits for the end of its input, whoever asks it to end before.
   */
  private static final String WORKER =
      "trap '' TERM; echo $PPID >begun-$RANK; cat >/dev/null; echo over >ended-$RANK";

  @TempDir private Path folder;

  private final Queue<String> ends = new ConcurrentLinkedQueue<>();

  /** A pipe with a name: whoever reads from it waits for the one who writes. */
  private Path pipe(String name) throws Exception {
    Path pipe = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  private static Task worker(int rank) {
    return new Task(rank, List.of("sh", "-c", WORKER), Map.of("RANK", "" + rank));
  }

  private Order order() {
    return new Order(
        "test",
        "local-cluster[2,1,1024]",
        folder,
        List.of(worker(0), worker(1)),
        "secret\n".getBytes(StandardCharsets.UTF_8),
        true,
        (task, host, code, words) ->
            ends.add("%d %s %s".formatted(task, code.isPresent() ? "ended" : "lost", words)));
  }

  /** All of a stage run or none does, so nobody is started again, and nobody is left behind. */
  @Test
  void itEndsTheStageAndAllProcesses() throws Exception {
    List<Path> begun = List.of(pipe("begun-0"), pipe("begun-1"));
    List<Path> ended = List.of(pipe("ended-0"), pipe("ended-1"));
    try (Started started = new SparkEngine().start(order())) {
      long killed = Long.parseLong(Files.readString(begun.get(0)).strip());
      long other = Long.parseLong(Files.readString(begun.get(1)).strip());
      assertThat(other).isNotEqualTo(killed);
      ProcessHandle.of(killed).orElseThrow().destroyForcibly();
      for (Path each : ended) {
        assertThat(Files.readString(each)).isEqualTo("over\n");
      }
      started.await();
    }
    assertThat(ends)
        .hasSize(2)
        .anySatisfy(
            end -> assertThat(end).matches("0 lost its executor, number [01], was lost: .*"))
        .anySatisfy(end -> assertThat(end).startsWith("1 lost Spark: Job aborted"));
  }
}
