package dev.grapevine.app.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.app.report.Browser;
import dev.grapevine.results.ClassCounts;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.topology.Graph;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchServerTest {

  @TempDir Path folder;

  /** A run that has begun: a circle of nodes with chords. */
  private RunDirectory begun(int nodes) {
    RunDirectory run = RunDirectory.create(folder.resolve("run"));
    run.writeExperiment("name = \"going\"\nrounds = 10\n[nodes]\ncount = %d\n".formatted(nodes));
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < nodes; node++) {
      graph.add(node, (node + 1) % nodes);
      if (node % 2 == 0) {
        graph.add(node, (node + nodes / 2 - 1) % nodes);
      }
    }
    run.writeTopology(graph.build());
    int[][] counts = new int[nodes][10];
    for (int node = 0; node < nodes; node++) {
      counts[node][node % 10] = 5;
    }
    run.writeData(new ClassCounts(counts));
    return run;
  }

  private static void record(MetricsWriter metrics, int nodes, int round) {
    SplittableRandom random = new SplittableRandom(round);
    Duration time = Duration.ofSeconds(round + 1);
    for (int node = 0; node < nodes; node++) {
      double accuracy = round / 12.0 + random.nextDouble() / 10;
      metrics.record(node, round, Metrics.TEST_ACCURACY, accuracy, time);
      metrics.record(node, round, Metrics.TEST_LOSS, 2 - accuracy, time);
      metrics.record(node, round, Metrics.BYTES_SENT, 1e6 * (round + 1) * (node % 7 + 1), time);
    }
    metrics.flush();
  }

  @Test
  void aRoundIsSummedUpAsItsNodesReport() throws IOException {
    RunDirectory run = begun(4);
    Updates updates = new Updates(run.path(), 10);
    assertThat(updates.next(null).orElseThrow()).containsEntry("outcome", "running");
    assertThat(updates.next(null)).isEmpty();
    Duration time = Duration.ofSeconds(3);
    try (MetricsWriter metrics = run.metrics()) {
      metrics.record(0, 4, Metrics.TEST_ACCURACY, 0.25, time);
      metrics.flush();
      Map<String, ?> first = updates.next(null).orElseThrow();
      assertThat(first.get("points"))
          .isEqualTo(List.of(Arrays.asList(Metrics.TEST_ACCURACY, 4, 0.25, null, null, 3.0)));
      metrics.record(1, 4, Metrics.TEST_ACCURACY, 0.75, time);
    }
    Map<String, ?> second = updates.next(null).orElseThrow();
    assertThat(second.get("points"))
        .asString()
        .startsWith("[[test_accuracy, 4, 0.5, -2.67")
        .endsWith(", 3.0]]");
    assertThat(second.get("nodes"))
        .isEqualTo(
            Map.of(Metrics.TEST_ACCURACY, new MetricsTail.ChangedNodes(List.of(1), List.of(0.75))));
    assertThat(second.get("done")).isEqualTo(0.5);
    Files.writeString(run.summaryFile(), "{\"outcome\": \"done\"}");
    assertThat(updates.next(null).orElseThrow()).containsEntry("over", true);
    assertThat(updates.isOver()).isTrue();
  }

  @Test
  void answersOnlyThisMachine() throws Exception {
    RunDirectory run = begun(4);
    try (WatchServer server = WatchServer.start(run.path(), 0);
        HttpClient client = HttpClient.newHttpClient()) {
      URI there = URI.create(server.address().replace("localhost", "127.0.0.1"));
      HttpResponse<String> page =
          client.send(HttpRequest.newBuilder(there).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(200);
      HttpResponse<String> missing =
          client.send(
              HttpRequest.newBuilder(there.resolve("/etc/passwd")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(missing.statusCode()).isEqualTo(404);
    }
  }

  @Test
  void thePageFollowsTheRunAt1024Nodes() throws Exception {
    RunDirectory run = begun(1024);
    try (WatchServer server = WatchServer.start(run.path(), 0);
        MetricsWriter metrics = run.metrics();
        Browser browser = Browser.start(folder)) {
      browser.open(server.address());
      browser.await("return document.body.dataset.outcome === 'running'");
      for (int round = 0; round < 5; round++) {
        record(metrics, 1024, round);
      }
      browser.await("return document.body.innerText.includes('5\\nof 10 rounds')");
      browser.await("return document.querySelectorAll('.uplot').length === 3");
      browser.await("return document.querySelector('#topology')");
      browser.assertDrawn(5);
      for (int round = 5; round < 10; round++) {
        record(metrics, 1024, round);
      }
      Files.writeString(run.summaryFile(), "{\"outcome\": \"done\"}");
      browser.await("return document.body.dataset.outcome === 'done'");
      browser.await(
          "return document.querySelector('#nodes tbody td:nth-child(5)').innerText !== '–'");
      browser.assertDrawn(5);
      browser.assertNoErrors();
    }
  }

  @Test
  void runWatchesItself() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("small.toml"),
            """
            name = "small"
            rounds = 2
            nodes.count = 4
            topology.kind = "ring"
            data.set = "fashion-mnist-mini"
            model.kind = "logistic"
            evaluation.samples = 20
            """);
    CommandRun run = CommandRun.of("run", file, "--out", folder.resolve("out"), "--watch");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("watch at http://localhost:");
  }
}
