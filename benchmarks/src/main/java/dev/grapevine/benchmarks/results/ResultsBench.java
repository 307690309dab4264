package dev.grapevine.benchmarks.results;

import dev.grapevine.app.Grapevine;
import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.results.ClassCounts;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.topology.Graph;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code grapevine bench results}: plot, compare and report of ten large runs, two settings with
 * five seeds each, in a JVM whose heap is small enough for the whole process to stay below a GiB.
 */
@Command(
    name = "results",
    description = "Plot, compare and report of 10 runs of 1024 nodes with 500 evaluations each.",
    mixinStandardHelpOptions = true)
public final class ResultsBench implements Benchmark, Callable<Integer> {

  private static final int SETTINGS = 2;
  private static final int SEEDS = 5;
  private static final String HEAP = "-Xmx640m";

  @Mixin private Output output;

  @Option(names = "--quick", description = "Tiny runs: the figures mean little.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("grapevine-results");
    try {
      for (int setting = 0; setting < SETTINGS; setting++) {
        for (int seed = 0; seed < SEEDS; seed++) {
          write(folder.resolve("run-" + setting + "-" + seed), setting, seed);
        }
      }
      output.progress("plotting, comparing and reporting ...");
      output.print(report(measure(folder)));
    } finally {
      delete(folder);
    }
    return 0;
  }

  private static Report report(Map<String, Double> measured) {
    Report report = new Report("results");
    measured.forEach((name, value) -> {
      int space = name.lastIndexOf(' ');
      Figure figure = Figure.of(name.substring(0, space), value, name.substring(space + 1));
      report.figure(
          switch (name) {
            case "total s" -> figure.atMost(10);
            case "peak resident MiB" -> figure.atMost(1024);
            default -> figure;
          });
    });
    return report;
  }

  private void write(Path path, int setting, int seed) {
    int nodes = quick ? 8 : 1024;
    int evaluations = quick ? 4 : 500;
    RunDirectory run = RunDirectory.create(path);
    run.writeExperiment(
        "name = \"setting-%d\"\nseed = %d\nrounds = %d\n[nodes]\ncount = %d\n[topology]\nkind ="
                .formatted(setting, seed, evaluations * 10, nodes)
            + " \"ring\"\n");
    SplittableRandom random = new SplittableRandom(seed);
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < nodes; node++) {
      graph.add(node, (node + 1) % nodes);
    }
    run.writeTopology(graph.build());
    int[][] counts = new int[nodes][10];
    for (int[] ofNode : counts) {
      ofNode[random.nextInt(10)] = 40;
      ofNode[random.nextInt(10)] = 40;
    }
    run.writeData(new ClassCounts(counts));
    try (MetricsWriter metrics = run.metrics()) {
      for (int i = 0; i < evaluations; i++) {
        Duration time = Duration.ofMillis(1234L * (i + 1));
        double mean = (0.7 + 0.05 * setting) * (1 - Math.exp(-i / 80.0));
        for (int node = 0; node < nodes; node++) {
          double accuracy = mean + random.nextDouble() / 20;
          metrics.record(node, 10 * i + 9, Metrics.TEST_ACCURACY, accuracy, time);
        }
      }
    }
  }

  private static Map<String, Double> measure(Path folder) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "-Djava.awt.headless=true",
                "-XX:+UseSerialGC",
                HEAP,
                "-cp",
                System.getProperty("java.class.path"),
                Work.class.getName(),
                folder.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the measured process failed: " + answer);
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String line : answer.lines().toList()) {
      String[] fields = line.split("=", -1);
      figures.put(fields[0], Double.parseDouble(fields[1]));
    }
    return figures;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path file : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** What is measured, in a process of its own. */
  static final class Work {

    private Work() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      List<String> runs;
      try (Stream<Path> inside = Files.list(folder)) {
        runs = inside.sorted().map(Path::toString).toList();
      }
      double start = System.nanoTime() / 1e9;
      double startProcessor = ProcessorTime.ofProcess();
      step("plot", runs, "--out", folder.resolve("plots").toString());
      step("compare", runs);
      step("report", runs, "--out", folder.resolve("report.html").toString());
      System.out.println("total s=" + (System.nanoTime() / 1e9 - start));
      System.out.println("total processor s=" + (ProcessorTime.ofProcess() - startProcessor));
      System.out.println("peak resident MiB=" + peakKibibytes() / 1024.0);
      System.out.println("report MB=" + Files.size(folder.resolve("report.html")) / 1e6);
    }

    private static void step(String command, List<String> runs, String... options) {
      List<String> words = new ArrayList<>(List.of(command));
      words.addAll(runs);
      words.addAll(List.of(options));
      CommandLine commandLine = Grapevine.commandLine();
      commandLine.setOut(new PrintWriter(new StringWriter()));
      double start = System.nanoTime() / 1e9;
      double startProcessor = ProcessorTime.ofProcess();
      if (commandLine.execute(words.toArray(String[]::new)) != 0) {
        throw new IllegalStateException(command + " failed");
      }
      System.out.println(command + " s=" + (System.nanoTime() / 1e9 - start));
      System.out.println(command + " processor s=" + (ProcessorTime.ofProcess() - startProcessor));
    }

    private static double peakKibibytes() {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
        return lines
            .filter(line -> line.startsWith("VmHWM:"))
            .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
            .findFirst()
            .orElse(Double.NaN);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
