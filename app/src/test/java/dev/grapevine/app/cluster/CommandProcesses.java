package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Commands in processes of their own, which all begin in one folder and end with the test. */
final class CommandProcesses implements AutoCloseable {

  /** Far more than anything here takes: only a test that hangs gets there. */
  private static final Duration LONG = Duration.ofMinutes(3);

  private final Path folder;
  private final List<Process> started = new ArrayList<>();

  CommandProcesses(Path folder) {
    this.folder = folder;
  }

  /** Grapevine as the tests have it, in a virtual machine that starts quickly. */
  static List<String> grapevine() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dgrapevine.kernels=scalar",
        "-cp",
        System.getProperty("java.class.path"),
        "dev.grapevine.app.Grapevine");
  }

  Process start(String... arguments) throws IOException {
    return startWith(grapevine(), arguments);
  }

  /** Starts a command with more arguments. */
  Process startWith(List<String> command, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out-%d.txt".formatted(started.size())).toFile())
            .directory(folder.toFile())
            .start();
    started.add(process);
    return process;
  }

  /** Runs the small experiment in one process, with the same kernels as all others here. */
  Process runAlone(int rounds, String more) throws IOException {
    return start(
        "run", SmallExperiment.write(folder, rounds, more), "--out", "alone", "--save-models");
  }

  /** What the process that was started last has said. */
  String said() throws IOException {
    return Files.readString(
        folder.resolve("out-%d.txt".formatted(started.size() - 1)), StandardCharsets.UTF_8);
  }

  /** With what a process ends. */
  static int code(Process process) throws InterruptedException {
    assertThat(process.waitFor(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return process.exitValue();
  }

  /** The text of a file; empty if it is not there. */
  String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      return "";
    }
  }

  /** Waits until something holds of the files in the folder or in a folder in it. */
  void await(BooleanSupplier what) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONG.toNanos();
    try (WatchService changes = folder.getFileSystem().newWatchService()) {
      Set<Path> watched = new HashSet<>();
      watch(folder, watched, changes);
      while (!what.getAsBoolean()) {
        WatchKey change = changes.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(change).as("it never came").isNotNull();
        change.pollEvents();
        change.reset();
        watch(folder, watched, changes);
      }
    }
  }

  /** Waits until something holds of the files while a process, started last, is at work. */
  void await(Process process, BooleanSupplier what) throws IOException, InterruptedException {
    process.onExit().thenRun(() -> touch(folder.resolve("ended")));
    await(() -> !process.isAlive() || what.getAsBoolean());
    assertThat(process.isAlive()).as(said()).isTrue();
  }

  private static void watch(Path folder, Set<Path> watched, WatchService changes)
      throws IOException {
    List<Path> folders = new ArrayList<>(List.of(folder));
    try (Stream<Path> inside = Files.list(folder)) {
      inside.filter(Files::isDirectory).forEach(folders::add);
    }
    for (Path each : folders) {
      if (watched.add(each)) {
        each.register(
            changes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      }
    }
  }

  /** The numbers of the workers' processes, once the run has begun and got somewhere. */
  List<Long> workers(String run, Process launcher) throws Exception {
    Path directory = folder.resolve(run);
    await(
        launcher,
        () ->
            Files.exists(directory.resolve("deployment.json"))
                && SavedRun.read(directory).metric("bytes_sent").isPresent());
    List<Long> numbers = new ArrayList<>();
    Matcher match =
        Pattern.compile("\"process_id\" : (\\d+)").matcher(text(run + "/deployment.json"));
    while (match.find()) {
      numbers.add(Long.parseLong(match.group(1)));
    }
    return numbers;
  }

  private static void touch(Path file) {
    try {
      Files.writeString(file, "");
    } catch (IOException overAlready) {
      return;
    }
  }

  /** Waits until processes are gone. */
  static void awaitEnd(List<Long> processes) throws Exception {
    for (long process : processes) {
      ProcessHandle handle = ProcessHandle.of(process).orElse(null);
      if (handle != null) {
        handle.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  static void kill(long process) {
    ProcessHandle.of(process).orElseThrow().destroyForcibly();
  }

  static void signal(String name, long process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process).start().waitFor()).isZero();
  }

  /** A folder with a launcher that starts Grapevine as the tests have it. */
  Path home() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    script(
        home.resolve("grapevine"),
        "exec "
            + String.join(" ", grapevine().stream().map(CommandProcesses::quoted).toList())
            + " \"$@\"");
    return home;
  }

  /** A script for the shell that can be called. */
  static Path script(Path file, String line) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  @Override
  public void close() {
    started.forEach(process -> {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    });
  }
}
