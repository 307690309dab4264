package dev.grapevine.app.cluster;

import dev.grapevine.app.console.ShellWord;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The command that starts a worker. */
final class WorkerCommandLine {

  /**
   * A worker with one compute thread has no use for a collector with more, and of many processes
   * each one's spare room counts. The room for what is new is small, and half of it is for what
   * outlives one collection: the messages of a round must not get among what stays, which would
   * grow to all the memory there is (1.7 GB a worker after 400 rounds of four nodes). What runs
   * long enough to be worth the optimizing compiler does so ten times over; the rest would only
   * keep the processors from those who start as well. These win over the flags of this process.
   */
  private static final List<String> FRUGAL =
      List.of(
          "-XX:-UseParallelGC",
          "-XX:+UseSerialGC",
          "-Xms16m",
          "-XX:MaxNewSize=48m",
          "-XX:SurvivorRatio=2",
          "-XX:ReservedCodeCacheSize=64m",
          "-XX:Tier4InvocationThreshold=50000",
          "-XX:Tier4MinInvocationThreshold=6000",
          "-XX:Tier4CompileThreshold=150000",
          "-XX:Tier4BackEdgeThreshold=400000");

  private static final String CACHE = "-XX:AOTCache=";

  /** The classes of a worker as the virtual machine likes them, beside the cache of the others. */
  private static final String ARCHIVE = "workers.jsa";

  /** How much of a machine's memory all workers on it may take together, in percent. */
  private static final double MEMORY = 70;

  private WorkerCommandLine() {}

  /**
   * In a virtual machine like this one, with its share of the memory.
   *
   * @param sharing how many processes share the machine
   */
  static List<String> here(int sharing, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      boolean isOwn =
          flag.startsWith("-XX:MaxRAMPercentage")
              || flag.startsWith("-Dgrapevine.stderr")
              || flag.startsWith("-agentlib")
              || flag.startsWith("-javaagent");
      if (!isOwn) {
        command.add(flag.startsWith(CACHE) ? classes(flag) : flag);
      }
    }
    if (sharing > Runtime.getRuntime().availableProcessors()) {
      command.addAll(FRUGAL);
    }
    command.add(
        String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.2f", MEMORY / Math.max(1, sharing)));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(LaunchedWorker.class.getName());
    command.addAll(arguments);
    return command;
  }

  private static String classes(String flag) {
    Path archive = Path.of(flag.substring(CACHE.length())).resolveSibling(ARCHIVE);
    return Files.isReadable(archive) ? "-XX:SharedArchiveFile=" + archive : flag;
  }

  /**
   * Over a remote shell.
   *
   * @param shell such as {@code ssh -o BatchMode=yes}; the host is put behind it, unless it ends
   *     with {@code -c}: then it is a shell on this machine
   * @param folder where relative paths begin
   * @param home where Grapevine is on that machine
   */
  static List<String> remote(
      String shell, String host, Path folder, Path home, int sharing, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(shell.strip().split("\\s+")));
    if (!command.getLast().equals("-c")) {
      command.add(host);
    }
    StringBuilder line = new StringBuilder();
    line.append("cd ").append(ShellWord.quote(folder.toString())).append(" && ");
    line.append("exec env GRAPEVINE_BUILD=never GRAPEVINE_LOCAL_WORKERS=").append(sharing);
    line.append(' ').append(ShellWord.quote(home.resolve("grapevine").toString()));
    line.append(' ').append(LaunchedWorker.NAME);
    arguments.forEach(argument -> line.append(' ').append(ShellWord.quote(argument)));
    command.add(line.toString());
    return command;
  }
}
