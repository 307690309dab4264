package dev.grapevine.app.cluster;

import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.Placement;
import dev.grapevine.security.RunSecret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Who runs where, and by what command. */
final class Fleet {

  private final Placement placement;
  private final boolean isLocal;
  private final List<Slot> slots;

  /**
   * One worker.
   *
   * @param command what starts it, given where the coordinator listens
   */
  private record Slot(int rank, String host, Command command) {}

  /** What starts a worker. */
  @FunctionalInterface
  private interface Command {
    List<String> at(String port);
  }

  private Fleet(Placement placement, boolean isLocal, List<Slot> slots) {
    this.placement = placement;
    this.isLocal = isLocal;
    this.slots = slots;
  }

  /** All workers on this machine. */
  static Fleet here(
      Placement placement,
      ExperimentFile file,
      Path data,
      LogLevel logLevel,
      List<String> options,
      String host) {
    List<Slot> slots = new ArrayList<>();
    for (int rank = 0; rank < placement.workers(); rank++) {
      int own = rank;
      slots.add(
          new Slot(
              rank,
              host,
              port ->
                  WorkerCommandLine.here(
                      // The launcher has its share as well.
                      placement.workers() + 1,
                      arguments(
                          file, data, logLevel, options, own, placement, "127.0.0.1:" + port))));
    }
    return new Fleet(placement, true, slots);
  }

  private static List<String> arguments(
      ExperimentFile file,
      Path data,
      LogLevel logLevel,
      List<String> options,
      int rank,
      Placement placement,
      String rendezvous) {
    List<String> arguments = new ArrayList<>();
    arguments.add("worker");
    arguments.add(file.path().toString());
    file.assignments().forEach(assignment -> arguments.addAll(List.of("--set", assignment)));
    arguments.addAll(List.of("--data-dir", data.toString()));
    arguments.addAll(List.of("--rank", "" + rank, "--world", "" + placement.workers()));
    arguments.addAll(List.of("--rendezvous", rendezvous, "--secret", "-"));
    if (logLevel != LogLevel.INFO) {
      arguments.addAll(List.of("--log-level", logLevel.name().toLowerCase(Locale.ROOT)));
    }
    arguments.addAll(options);
    return arguments;
  }

  Placement placement() {
    return placement;
  }

  /** Whether all workers are on this machine. */
  boolean isLocal() {
    return isLocal;
  }

  /** Starts all workers. */
  Crew start(Coordinator coordinator, RunSecret secret, Consumer<String> lines) {
    List<WorkerProcess> workers = new ArrayList<>();
    try {
      for (Slot slot : slots) {
        workers.add(
            WorkerProcess.start(
                slot.rank(),
                slot.host(),
                slot.command().at("" + coordinator.port()),
                Map.of("GRAPEVINE_LOCAL_WORKERS", "" + sharing(slot.host())),
                secret,
                lines));
      }
    } catch (RuntimeException e) {
      workers.forEach(WorkerProcess::kill);
      throw e;
    }
    return new Crew(workers, coordinator);
  }

  private int sharing(String host) {
    return (int) slots.stream().filter(slot -> slot.host().equals(host)).count();
  }

  /** Who would run where, for people. */
  String description(String port) {
    StringBuilder text = new StringBuilder();
    for (Slot slot : slots) {
      text.append(
          "worker %d on %s: %s%n".formatted(slot.rank(), slot.host(), placement.text(slot.rank())));
      text.append("  ");
      text.append(
          String.join(
              " ", slot.command().at(port).stream().map(WorkerCommandLine::quoted).toList()));
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
