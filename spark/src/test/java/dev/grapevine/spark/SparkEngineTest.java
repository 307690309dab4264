package dev.grapevine.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.app.deploy.ClusterEngine;
import dev.grapevine.app.deploy.ClusterEngine.Order;
import dev.grapevine.app.deploy.ClusterEngine.Started;
import dev.grapevine.app.deploy.ClusterEngine.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In Spark's local mode, whose executor is this process. */
@Timeout(180)
class SparkEngineTest {

  @TempDir private Path folder;

  private final List<String> ends = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch someEnd = new CountDownLatch(1);

  private Order order(boolean together, String... scripts) {
    List<Task> tasks = new ArrayList<>();
    for (String script : scripts) {
      tasks.add(
          new Task(tasks.size(), List.of("sh", "-c", script), Map.of("WORD", "w" + tasks.size())));
    }
    return new Order(
        "test",
        "local[2]",
        folder,
        tasks,
        "hello\n".getBytes(StandardCharsets.UTF_8),
        together,
        (task, host, code, words) -> {
          ends.add(
              "%d %s %s".formatted(task, code.isPresent() ? "" + code.getAsInt() : "lost", words));
          someEnd.countDown();
        });
  }

  @Test
  void processesHaveInputDirectoryAndEnvironment() throws Exception {
    try (Started started =
        ClusterEngine.named("spark")
            .start(
                order(
                    true,
                    "read line; echo $line $WORD; touch here",
                    "echo first; echo last; exit 3"))) {
      started.await();
    }
    assertThat(ends).containsExactlyInAnyOrder("0 0 hello w0", "1 3 last");
    assertThat(folder.resolve("here")).exists();
  }

  @Test
  void ordinaryTasksWaitForRoom() throws Exception {
    try (Started started =
        new SparkEngine().start(order(false, "echo $WORD", "echo $WORD", "echo $WORD"))) {
      started.await();
    }
    assertThat(ends).containsExactlyInAnyOrder("0 0 w0", "1 0 w1", "2 0 w2");
  }

  /** One ends and is told of at once; the other waits for the end of its input and is ended. */
  @Test
  void nobodyIsLeftBehind() throws Exception {
    try (Started started =
        new SparkEngine().start(order(true, "exit 0", "cat >/dev/null; echo over"))) {
      someEnd.await();
      assertThat(ends).containsExactly("0 0 ");
    }
    assertThat(ends).hasSize(2);
    assertThat(ends.get(1)).startsWith("1 lost Spark: ");
  }

  @Test
  void aMasterThatIsNoneIsAMistake() {
    Order order = order(true, "true");
    Order wrong =
        new Order(
            order.name(), "nowhere", folder, order.tasks(), order.input(), true, order.ends());
    assertThatThrownBy(() -> new SparkEngine().start(wrong))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("Spark does not start at --master nowhere");
  }
}
