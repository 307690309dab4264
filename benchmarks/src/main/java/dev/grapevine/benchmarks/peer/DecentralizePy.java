package dev.grapevine.benchmarks.peer;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The original, run from a folder that holds it as it was published, with the Python in it (a
 * virtual environment called {@code venv} or {@code .venv}) or the one that is named. Needs its
 * Python packages and, in {@code eval/data}, the folder {@code cifar-10-batches-py}.
 */
final class DecentralizePy {

  private static final long MILLIS_BETWEEN_LOOKS = 20;
  private static final long MINUTES_AT_MOST = 30;
  private static final int LOOKS_BETWEEN_MEMORY = 25;

  private final Path folder;
  private final String python;

  DecentralizePy(Path folder, String python) {
    this.folder = folder.toAbsolutePath();
    this.python = python.isEmpty() ? ownPython() : python;
    for (String needed :
        List.of("eval/testing.py", "src/decentralizepy", "eval/data/cifar-10-batches-py")) {
      if (!Files.exists(this.folder.resolve(needed))) {
        throw new UserException(
            "%s holds no %s; give the folder of a DecentralizePy that runs its tutorial"
                .formatted(folder, needed));
      }
    }
  }

  private String ownPython() {
    return Stream.of("venv", ".venv")
        .map(name -> folder.resolve(name).resolve("bin/python3"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElse("python3");
  }

  Showing run(Contest contest, Path scratch) throws IOException, InterruptedException {
    Path graph = Files.writeString(scratch.resolve("graph.txt"), ring(contest.nodes()));
    Path addresses = Files.writeString(scratch.resolve("ip.json"), "{\"0\": \"localhost\"}");
    Path config = Files.writeString(scratch.resolve("config.ini"), config(addresses));
    Path results = Files.createDirectories(scratch.resolve("machine0"));
    int never = contest.rounds() + 1;
    Path log = scratch.resolve("python.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                python,
                folder.resolve("eval/testing.py").toString(),
                "-ro",
                "0",
                "-tea",
                "" + never,
                "-ta",
                "" + never,
                "-ld",
                results.toString(),
                "-wsd",
                results.toString(),
                "-mid",
                "0",
                "-ps",
                "" + contest.nodes(),
                "-ms",
                "1",
                "-is",
                "" + contest.rounds(),
                "-gf",
                graph.toString(),
                "-cf",
                config.toString(),
                "-ll",
                "WARNING")
            .directory(folder.resolve("eval").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.merge(
        "PYTHONPATH", folder.resolve("src").toString(), (others, own) -> own + ":" + others);
    // One thread a process, as with one process a core; more would only get in each other's way.
    environment.put("OMP_NUM_THREADS", "1");
    Process process = builder.start();
    try {
      return watch(process, contest, results, log);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Every process writes its results anew after each round: that is when a round has ended. */
  private static Showing watch(Process process, Contest contest, Path results, Path log)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long first = 0;
    double peak = 0;
    for (long look = 0; !process.waitFor(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS); look++) {
      if (first == 0 && written(results).size() == contest.nodes()) {
        first = System.nanoTime();
      }
      if (look % LOOKS_BETWEEN_MEMORY == 0) {
        peak = Math.max(peak, megabytes(process));
      }
      if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(MINUTES_AT_MOST)) {
        break;
      }
    }
    long end = System.nanoTime();
    List<Path> files = written(results);
    if (files.size() < contest.nodes() || process.isAlive() || process.exitValue() != 0) {
      List<String> said = Files.readAllLines(log);
      throw new UserException(
          "DecentralizePy did not get through:%n%s"
              .formatted(
                  String.join("\n", said.subList(Math.max(0, said.size() - 15), said.size()))));
    }
    double bytes = 0;
    for (Path file : files) {
      bytes += lastOf(JsonMapper.shared().readTree(file.toFile()).get("total_bytes"));
    }
    return new Showing(
        (contest.rounds() - 1) * 1e9 / Math.max(1, end - first),
        (first - start) / 1e9,
        peak == 0 ? Double.NaN : peak,
        bytes / contest.nodes() / contest.rounds());
  }

  private static double lastOf(JsonNode byRound) {
    double last = 0;
    for (JsonNode value : byRound) {
      last = Math.max(last, value.asDouble());
    }
    return last;
  }

  private static List<Path> written(Path results) throws IOException {
    try (Stream<Path> inside = Files.list(results)) {
      return inside.filter(file -> file.toString().endsWith("_results.json")).toList();
    }
  }

  /** Memory that several processes share is counted once; 0 where the system does not tell. */
  private static double megabytes(Process process) {
    double kilobytes = 0;
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    for (ProcessHandle each : all) {
      try (Stream<String> lines =
          Files.lines(Path.of("/proc/%d/smaps_rollup".formatted(each.pid())))) {
        kilobytes +=
            lines
                .filter(line -> line.startsWith("Pss:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                .sum();
      } catch (IOException ended) {
        // It was there a moment ago.
      }
    }
    return kilobytes / 1024;
  }

  /** A ring with chords: every node has three neighbours. */
  private static String ring(int nodes) {
    StringBuilder text = new StringBuilder().append(nodes).append('\n');
    for (int node = 0; node < nodes; node++) {
      for (int peer :
          new int[] {(node + 1) % nodes, (node + nodes - 1) % nodes, (node + nodes / 2) % nodes}) {
        text.append(node).append(' ').append(peer).append('\n');
      }
    }
    return text.toString();
  }

  private String config(Path addresses) {
    Path data = folder.resolve("eval/data");
    return """
    [DATASET]
    dataset_package = decentralizepy.datasets.CIFAR10
    dataset_class = CIFAR10
    model_class = LeNet
    train_dir = %s
    test_dir = %s
    sizes =
    random_seed = 90
    partition_niid = False
    shards = 4
    [OPTIMIZER_PARAMS]
    optimizer_package = torch.optim
    optimizer_class = SGD
    lr = 0.01
    [TRAIN_PARAMS]
    training_package = decentralizepy.training.Training
    training_class = Training
    rounds = %d
    full_epochs = False
    batch_size = %d
    shuffle = True
    loss_package = torch.nn
    loss_class = CrossEntropyLoss
    [COMMUNICATION]
    comm_package = decentralizepy.communication.TCP
    comm_class = TCP
    addresses_filepath = %s
    [SHARING]
    sharing_package = decentralizepy.sharing.Sharing
    sharing_class = Sharing
    """
        .formatted(data, data, Contest.STEPS, Contest.BATCH, addresses);
  }
}
