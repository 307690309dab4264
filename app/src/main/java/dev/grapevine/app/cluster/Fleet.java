package dev.grapevine.app.cluster;

import dev.grapevine.app.console.ShellWord;
import dev.grapevine.app.deploy.ClusterEngine;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.HostsFile;
import dev.grapevine.cluster.Placement;
import dev.grapevine.results.HostName;
import dev.grapevine.security.RunSecret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Who runs where, and by what command. */
final class Fleet {

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1");

  /**
   * What all workers are told.
   *
   * @param file the experiment
   * @param assignments keys that are set anew
   * @param data where data sets are kept, if that was said
   * @param options how they connect
   */
  record Orders(
      Path file,
      List<String> assignments,
      Optional<Path> data,
      LogLevel logLevel,
      List<String> options) {}

  /**
   * How to get to other machines.
   *
   * @param shell such as {@code ssh -o BatchMode=yes}
   * @param folder where relative paths begin, here and there
   * @param home where Grapevine is, here and there
   * @param address where workers reach the launcher
   */
  record Way(String shell, Path folder, Path home, String address) {

    /** Whether it is a shell on this machine, which stands for others. */
    boolean staysHere() {
      return shell.endsWith(" -c");
    }
  }

  /**
   * One worker.
   *
   * @param command what starts it, given where the coordinator listens
   */
  private record Slot(int rank, String host, Command command) {}

  /** What starts a worker. */
  @FunctionalInterface
  private interface Command {

    /**
     * @param more what it is told besides
     */
    List<String> at(String port, List<String> more);
  }

  private final Placement placement;
  private final boolean isLocal;
  private final List<Slot> slots;
  private final Optional<EngineOptions> engine;

  private Fleet(
      Placement placement, boolean isLocal, List<Slot> slots, Optional<EngineOptions> engine) {
    this.placement = placement;
    this.isLocal = isLocal;
    this.slots = slots;
    this.engine = engine;
  }

  /** All workers on this machine. */
  static Fleet here(Placement placement, Orders orders) {
    List<Slot> slots = new ArrayList<>();
    for (int rank = 0; rank < placement.workers(); rank++) {
      int own = rank;
      slots.add(
          new Slot(
              rank,
              HostName.here(),
              // The launcher has its share as well.
              (port, more) ->
                  WorkerCommandLine.here(
                      placement.workers() + 1,
                      arguments(orders, placement.workers(), own, "127.0.0.1:" + port, more))));
    }
    return new Fleet(placement, true, slots, Optional.empty());
  }

  /** Workers where a file says. */
  static Fleet on(HostsFile hosts, Placement placement, int learners, Orders orders, Way way) {
    List<Slot> slots = new ArrayList<>();
    boolean isLocal =
        way.staysHere()
            || hosts.hosts().stream().allMatch(host -> THIS_MACHINE.contains(host.name()));
    String address = isLocal ? "127.0.0.1" : way.address();
    for (HostsFile.Slot slot : hosts.slots()) {
      List<String> own = new ArrayList<>();
      if (hosts.nodesOfWorkers().isPresent()) {
        own.addAll(List.of("--nodes", Placements.text(placement, learners)));
      }
      slot.host().address().ifPresent(named -> own.addAll(List.of("--advertise", named)));
      slot.port().ifPresent(port -> own.addAll(List.of("--port", "" + port)));
      Command command =
          (port, more) -> {
            List<String> arguments =
                arguments(orders, hosts.workers(), slot.rank(), address + ":" + port, own);
            arguments.addAll(more);
            return THIS_MACHINE.contains(slot.host().name())
                ? WorkerCommandLine.here(slot.host().workers() + 1, arguments)
                : WorkerCommandLine.remote(
                    way.shell(),
                    slot.host().name(),
                    way.folder(),
                    way.home(),
                    slot.host().workers(),
                    arguments);
          };
      slots.add(new Slot(slot.rank(), slot.host().name(), command));
    }
    return new Fleet(placement, isLocal, slots, Optional.empty());
  }

  /** All workers started by an engine, each as a task. */
  static Fleet on(EngineOptions engine, Placement placement, Orders orders, String address) {
    List<Slot> slots = new ArrayList<>();
    String meeting = engine.isLocal() ? "127.0.0.1" : address;
    for (int rank = 0; rank < placement.workers(); rank++) {
      int own = rank;
      slots.add(
          new Slot(
              rank,
              engine.isLocal() ? HostName.here() : engine.master(),
              (port, more) -> {
                List<String> command = new ArrayList<>();
                command.add(EngineOptions.launcher().toString());
                command.add(LaunchedWorker.NAME);
                command.addAll(
                    arguments(orders, placement.workers(), own, meeting + ":" + port, more));
                return command;
              }));
    }
    return new Fleet(placement, engine.isLocal(), slots, Optional.of(engine));
  }

  private static List<String> arguments(
      Orders orders, int workers, int rank, String rendezvous, List<String> more) {
    List<String> arguments = new ArrayList<>();
    arguments.add(orders.file().toString());
    orders.assignments().forEach(each -> arguments.addAll(List.of("--set", each)));
    orders.data().ifPresent(data -> arguments.addAll(List.of("--data-dir", data.toString())));
    arguments.addAll(List.of("--rank", "" + rank, "--world", "" + workers));
    arguments.addAll(List.of("--rendezvous", rendezvous));
    if (orders.logLevel() != LogLevel.INFO) {
      arguments.addAll(List.of("--log-level", orders.logLevel().name().toLowerCase(Locale.ROOT)));
    }
    arguments.addAll(orders.options());
    arguments.addAll(more);
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
  Workers start(Coordinator coordinator, RunSecret secret, Consumer<String> lines) {
    if (engine.isPresent()) {
      return startOn(engine.get(), coordinator, secret);
    }
    List<WorkerProcess> workers = new ArrayList<>();
    try {
      for (Slot slot : slots) {
        workers.add(start(slot, List.of(), coordinator, secret, lines));
      }
    } catch (RuntimeException e) {
      workers.forEach(WorkerProcess::kill);
      throw e;
    }
    return new Crew(
        workers,
        coordinator,
        (rank, more) -> start(slots.get(rank), more, coordinator, secret, lines));
  }

  private WorkerProcess start(
      Slot slot,
      List<String> more,
      Coordinator coordinator,
      RunSecret secret,
      Consumer<String> lines) {
    return WorkerProcess.start(
        slot.rank(),
        slot.host(),
        slot.command().at("" + coordinator.port(), more),
        Map.of("GRAPEVINE_LOCAL_WORKERS", "" + sharing(slot.host())),
        secret,
        lines);
  }

  private Workers startOn(EngineOptions chosen, Coordinator coordinator, RunSecret secret) {
    Map<String, String> environment =
        chosen.isLocal()
            ? Map.of("GRAPEVINE_BUILD", "never", "GRAPEVINE_LOCAL_WORKERS", "" + slots.size())
            : Map.of("GRAPEVINE_BUILD", "never");
    List<ClusterEngine.Task> tasks =
        slots.stream()
            .map(slot ->
                new ClusterEngine.Task(
                    slot.rank(),
                    slot.command().at("" + coordinator.port(), List.of()),
                    environment))
            .toList();
    return new EngineCrew(
        chosen.engine(), "grapevine", chosen.master(), tasks, coordinator, secret);
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
      text.append(ShellWord.quote(slot.command().at(port, List.of())));
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
