package dev.grapevine.cluster;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.topology.NodeSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A list of machines, one a line:
 *
 * <pre>
 *   # host      how many workers   which nodes    where the others reach it
 *   node-1      workers=4
 *   me@node-2   workers=4          nodes=64-127   address=10.0.0.2   port=7100
 * </pre>
 *
 * {@code slots} means the same as {@code workers}, as in the host files of MPI. Workers are
 * numbered in the order of the lines; the workers of a machine take its nodes in contiguous blocks,
 * and its ports from {@code port} on.
 *
 * @param hosts the machines in the order of the file
 */
public record HostsFile(List<Host> hosts) {

  /** Enough for the largest machine; what is written beyond is a mistake. */
  private static final int MOST_WORKERS = 4096;

  private static final int LAST_PORT = 65_535;

  /** What ssh takes for a host, and nothing that it would take for an option. */
  private static final Pattern NAME =
      Pattern.compile("(?:[\\w.][\\w.-]*@)?[\\p{Alnum}_:\\[][\\p{Alnum}_.:%\\[\\]-]*");

  /**
   * A machine.
   *
   * @param name how to log in there
   * @param workers how many workers it gets
   * @param nodes the nodes of its workers; empty if they are dealt evenly
   * @param address where other workers reach it; empty if that is what the connection shows
   * @param port the first of its ports; empty for free ones
   * @param line where it stands in the file
   */
  public record Host(
      String name,
      int workers,
      Optional<NodeSet> nodes,
      Optional<String> address,
      OptionalInt port,
      int line) {

    /** The line of the file that says this. */
    public String text() {
      StringBuilder text = new StringBuilder(name).append(" workers=").append(workers);
      nodes.ifPresent(some -> text.append(" nodes=").append(some));
      address.ifPresent(some -> text.append(" address=").append(some));
      port.ifPresent(first -> text.append(" port=").append(first));
      return text.toString();
    }
  }

  /**
   * A worker's place.
   *
   * @param rank the number of the worker
   * @param host its machine
   * @param index its number among the workers of its machine
   */
  public record Slot(int rank, Host host, int index) {

    /** The port that it listens on, if the file says one. */
    public OptionalInt port() {
      return host.port().isPresent()
          ? OptionalInt.of(host.port().getAsInt() + index)
          : OptionalInt.empty();
    }
  }

  public HostsFile {
    hosts = List.copyOf(hosts);
  }

  /**
   * Reads a file.
   *
   * @throws UserException with file and line, when something in it is not right
   */
  public static HostsFile read(Path file) {
    try {
      return parse(Files.readString(file, StandardCharsets.UTF_8), file.toString());
    } catch (IOException e) {
      throw new UserException("cannot read %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  /**
   * Reads text.
   *
   * @param source what to call it when something in it is not right
   */
  public static HostsFile parse(String text, String source) {
    List<Host> hosts = new ArrayList<>();
    int number = 0;
    // Some editors begin a file with a mark of the byte order, which is no part of its text.
    for (String line : (text.startsWith("\uFEFF") ? text.substring(1) : text).split("\\R", -1)) {
      number++;
      String content = line.replaceFirst("#.*", "").strip();
      if (!content.isEmpty()) {
        hosts.add(new Line(source, number).host(content));
      }
    }
    if (hosts.isEmpty()) {
      throw new UserException(
          "%s names no host; write one a line, such as: node-1 workers=4".formatted(source));
    }
    checkNodes(hosts, source);
    return new HostsFile(hosts);
  }

  /** One line, which knows where it stands. */
  private record Line(String source, int number) {

    Host host(String content) {
      String[] words = content.split("\\s+");
      if (!NAME.matcher(words[0]).matches() || words[0].contains("=")) {
        throw mistake("\"%s\" is no name of a host", words[0]);
      }
      OptionalInt workers = OptionalInt.empty();
      Optional<NodeSet> nodes = Optional.empty();
      Optional<String> address = Optional.empty();
      OptionalInt port = OptionalInt.empty();
      Set<String> seen = new HashSet<>();
      for (int i = 1; i < words.length; i++) {
        int equals = words[i].indexOf('=');
        if (equals < 0) {
          throw mistake(
              "\"%s\" is not of the form key=value; keys are workers, nodes, address, port",
              words[i]);
        }
        String key = words[i].substring(0, equals).replace("slots", "workers");
        String value = words[i].substring(equals + 1);
        if (!seen.add(key)) {
          throw mistake("%s is given twice", key);
        }
        switch (key) {
          case "workers" -> workers = OptionalInt.of(whole(key, value, 1, MOST_WORKERS));
          case "nodes" -> nodes = Optional.of(nodes(value));
          case "address" -> address = Optional.of(address(value));
          case "port" -> port = OptionalInt.of(whole(key, value, 1, LAST_PORT));
          default ->
              throw mistake("unknown key \"%s\"; keys are workers, nodes, address, port", key);
        }
      }
      int count = workers.orElse(1);
      if (nodes.isPresent() && nodes.get().size() < count) {
        throw mistake(
            "%s workers need at least as many nodes: nodes=%s",
            String.valueOf(count), nodes.get().toString());
      }
      if (port.isPresent() && port.getAsInt() + count - 1 > LAST_PORT) {
        throw mistake("there are not that many ports: port=%s", String.valueOf(port.getAsInt()));
      }
      return new Host(words[0], count, nodes, address, port, number);
    }

    private int whole(String key, String value, int least, int most) {
      if (value.matches("\\d{1,9}")) {
        int number = Integer.parseInt(value);
        if (number >= least && number <= most) {
          return number;
        }
      }
      throw mistake(
          key + " must be a whole number from %s to %s: " + key + "=%s",
          String.valueOf(least),
          String.valueOf(most),
          value);
    }

    private NodeSet nodes(String value) {
      try {
        if (value.equals("all")) {
          throw new IllegalArgumentException("say which nodes, such as nodes=0-63");
        }
        return NodeSet.parse(value, NodeSet.MOST);
      } catch (IllegalArgumentException e) {
        throw mistake("%s", String.valueOf(e.getMessage()));
      }
    }

    private String address(String value) {
      if (!NAME.matcher(value).matches() || value.contains("@")) {
        throw mistake("\"%s\" is no address", value);
      }
      return value;
    }

    private UserException mistake(String message, String... values) {
      return new UserException(
          "%s:%d: %s".formatted(source, number, message.formatted((Object[]) values)));
    }
  }

  /** Either all hosts say which nodes they have, or none does; no node is had twice. */
  private static void checkNodes(List<Host> hosts, String source) {
    Host with = null;
    Host without = null;
    for (Host host : hosts) {
      if (host.nodes().isPresent()) {
        with = with == null ? host : with;
      } else {
        without = without == null ? host : without;
      }
    }
    if (with != null && without != null) {
      throw new UserException(
          "%s:%d: %s has nodes=, %s (line %d) has not; give nodes to all hosts or to none"
              .formatted(source, with.line(), with.name(), without.name(), without.line()));
    }
    for (int i = 0; with != null && i < hosts.size(); i++) {
      for (int j = 0; j < i; j++) {
        Host host = hosts.get(i);
        Host earlier = hosts.get(j);
        if (host.nodes().orElseThrow().overlaps(earlier.nodes().orElseThrow())) {
          throw new UserException(
              "%s:%d: %s has nodes that %s (line %d) has already; give each node to one host"
                  .formatted(source, host.line(), host.name(), earlier.name(), earlier.line()));
        }
      }
    }
  }

  /** How many workers there are on all machines. */
  public int workers() {
    return hosts.stream().mapToInt(Host::workers).sum();
  }

  /** Every worker's place, in the order of their numbers. */
  public List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    for (Host host : hosts) {
      for (int index = 0; index < host.workers(); index++) {
        slots.add(new Slot(slots.size(), host, index));
      }
    }
    return slots;
  }

  /** The nodes of each worker; empty if the file leaves that open. */
  public Optional<List<int[]>> nodesOfWorkers() {
    if (hosts.getFirst().nodes().isEmpty()) {
      return Optional.empty();
    }
    List<int[]> all = new ArrayList<>();
    for (Host host : hosts) {
      int[] nodes = host.nodes().orElseThrow().stream().toArray();
      int workers = host.workers();
      for (int index = 0; index < workers; index++) {
        int from = (int) ((long) nodes.length * index / workers);
        int to = (int) ((long) nodes.length * (index + 1) / workers);
        all.add(java.util.Arrays.copyOfRange(nodes, from, to));
      }
    }
    return Optional.of(all);
  }

  /** The file that says this. */
  public String text() {
    StringBuilder text = new StringBuilder();
    hosts.forEach(host -> text.append(host.text()).append('\n'));
    return text.toString();
  }
}
