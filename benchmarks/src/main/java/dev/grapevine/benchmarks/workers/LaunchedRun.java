package dev.grapevine.benchmarks.workers;

import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run started by {@code grapevine launch} or {@code run} as a user would, and what it took.
 *
 * @param secondsToStart from the command to the first round's beginning; NaN for a single process
 * @param secondsPerRound by the wall clock, in the later half of the rounds
 * @param processorSecondsPerRound of all processes together, the whole run divided by its rounds
 * @param residentMegabytes of all workers together, the most that was seen at a time
 */
record LaunchedRun(
    double secondsToStart,
    double secondsPerRound,
    double processorSecondsPerRound,
    double residentMegabytes) {

  private static final Pattern PROCESS = Pattern.compile("\"process_id\" : (\\d+)");
  private static final long GLANCE = 20;

  /**
   * Runs an experiment.
   *
   * @param workers how many processes; 0 for {@code grapevine run}
   */
  static LaunchedRun of(Path file, int workers, Path data, Path out, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(file.toString()));
    if (workers > 0) {
      arguments.addAll(List.of("--workers", "" + workers));
    }
    arguments.addAll(List.of("--data-dir", data.toString(), "--out", out.toString()));
    arguments.addAll(List.of(options));
    List<String> command = command(workers == 0 ? "run" : "launch", arguments);
    Path said = Files.createTempFile("grapevine-launch", ".txt");
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    double start = Double.NaN;
    List<Long> workersThere = List.of();
    double resident = 0;
    double processor = 0;
    while (!process.waitFor(GLANCE, TimeUnit.MILLISECONDS)) {
      if (workers > 0 && workersThere.isEmpty() && Files.exists(out.resolve("deployment.json"))) {
        start = (System.nanoTime() - begin) / 1e9;
        workersThere = processes(out);
      }
      List<Long> watched = workers == 0 ? List.of(process.pid()) : workersThere;
      resident = Math.max(resident, megabytes(watched));
      processor = Math.max(processor, processorSeconds(watched));
    }
    String text = Files.readString(said, StandardCharsets.UTF_8);
    Files.delete(said);
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the run failed:%n%s".formatted(text));
    }
    SavedRun run = SavedRun.read(out);
    return new LaunchedRun(start, secondsPerRound(run), processor / run.rounds(), resident);
  }

  /** A command of Grapevine in a virtual machine like this one. */
  static List<String> command(String name, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The error stream of this process is not that of a child.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-Dgrapevine.stderr"))
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("dev.grapevine.app.Grapevine");
    command.add(name);
    command.addAll(arguments);
    return command;
  }

  private static List<Long> processes(Path out) throws IOException {
    List<Long> numbers = new ArrayList<>();
    Matcher match = PROCESS.matcher(Files.readString(out.resolve("deployment.json")));
    while (match.find()) {
      numbers.add(Long.parseLong(match.group(1)));
    }
    return numbers;
  }

  /** Between the middle and the end of what was recorded, over all nodes. */
  private static double secondsPerRound(SavedRun run) {
    MetricColumn column = run.metric("bytes_sent").orElseThrow();
    int last = column.rounds() - 1;
    int middle = last / 2;
    double seconds = latest(column.times(last)) - latest(column.times(middle));
    return seconds / (column.round(last) - column.round(middle));
  }

  private static double latest(double[] times) {
    double latest = 0;
    for (double time : times) {
      latest = Math.max(latest, time);
    }
    return latest;
  }

  private static double megabytes(List<Long> processes) {
    double sum = 0;
    for (long process : processes) {
      try {
        for (String line : Files.readAllLines(Path.of("/proc/" + process + "/status"))) {
          if (line.startsWith("VmRSS:")) {
            sum += Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
          }
        }
      } catch (IOException gone) {
        // It has ended between two glances.
        continue;
      }
    }
    return sum;
  }

  /** User and system time, in the kernel's hundredths. */
  private static double processorSeconds(List<Long> processes) {
    double sum = 0;
    for (long process : processes) {
      try {
        String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        sum += (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
      } catch (IOException gone) {
        // It has ended between two glances.
        continue;
      }
    }
    return sum;
  }
}
