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
 * A run started by {@code grapevine launch} as a user would, and what it took. Rounds count only
 * when the compilers of all processes have done most of their work: in the last two fifths.
 *
 * @param secondsToStart from the command to the first round's beginning
 * @param secondsPerRound by the wall clock
 * @param processorSecondsPerRound of all processes together, the launcher included
 * @param residentMegabytes of all workers together, the most that was seen at a time
 */
record LaunchedRun(
    double secondsToStart,
    double secondsPerRound,
    double processorSecondsPerRound,
    double residentMegabytes) {

  private static final Pattern PROCESS = Pattern.compile("\"process_id\" : (\\d+)");
  private static final long GLANCE = 20;
  private static final long NANOS_BETWEEN_SAMPLES = 200_000_000;

  /** How much processor time all processes had taken at a moment of the clock, both in seconds. */
  private record Sample(double clock, double processor) {}

  /** Runs an experiment in some processes. */
  static LaunchedRun of(Path file, int workers, Path data, Path out, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(file.toString()));
    arguments.addAll(List.of("--workers", "" + workers));
    arguments.addAll(List.of("--data-dir", data.toString(), "--out", out.toString()));
    arguments.addAll(List.of(options));
    Path said = Files.createTempFile("grapevine-launch", ".txt");
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command("launch", arguments))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    double start = Double.NaN;
    List<Long> processes = List.of();
    double resident = 0;
    List<Sample> samples = new ArrayList<>();
    long next = begin;
    while (!process.waitFor(GLANCE, TimeUnit.MILLISECONDS)) {
      if (processes.isEmpty() && Files.exists(out.resolve("deployment.json"))) {
        start = (System.nanoTime() - begin) / 1e9;
        processes = processes(out);
      }
      if (!processes.isEmpty() && System.nanoTime() - next >= 0) {
        next = System.nanoTime() + NANOS_BETWEEN_SAMPLES;
        resident = Math.max(resident, megabytes(processes));
        double processor = processorSeconds(processes) + processorSeconds(List.of(process.pid()));
        samples.add(new Sample((System.nanoTime() - begin) / 1e9, processor));
      }
    }
    String text = Files.readString(said, StandardCharsets.UTF_8);
    Files.delete(said);
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the run failed:%n%s".formatted(text));
    }
    return measured(SavedRun.read(out), start, samples, resident);
  }

  private static LaunchedRun measured(
      SavedRun run, double start, List<Sample> samples, double resident) {
    MetricColumn column = run.metric("bytes_sent").orElseThrow();
    int last = column.rounds() - 1;
    int first = last * 3 / 5;
    double from = latest(column.times(first));
    double to = latest(column.times(last));
    double secondsPerRound = (to - from) / (column.round(last) - column.round(first));
    List<Sample> within =
        samples.stream()
            .filter(each -> each.clock() >= start + from && each.clock() <= start + to)
            .toList();
    double share = Double.NaN;
    if (within.size() > 1) {
      Sample earliest = within.getFirst();
      Sample latest = within.getLast();
      share = (latest.processor() - earliest.processor()) / (latest.clock() - earliest.clock());
    }
    return new LaunchedRun(start, secondsPerRound, share * secondsPerRound, resident);
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
