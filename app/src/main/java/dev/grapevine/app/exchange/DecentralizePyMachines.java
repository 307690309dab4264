package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.cluster.HostsFile;
import dev.grapevine.cluster.HostsFile.Host;
import dev.grapevine.topology.NodeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * DecentralizePy's machines: a JSON file that maps the number of a machine to its address, and how
 * many processes, one a node, each of them runs. Nodes are numbered machine after machine.
 */
final class DecentralizePyMachines {

  private DecentralizePyMachines() {}

  /**
   * The same machines as a hosts file.
   *
   * @param processes how many each machine runs; one number stands for all machines
   */
  static HostsFile read(Path file, List<Integer> processes) {
    TreeMap<Integer, String> addresses = addresses(file);
    int machines = addresses.size();
    if (processes.size() != 1 && processes.size() != machines) {
      throw new UserException(
          "%s has %d machines, --procs-per-machine has %d numbers; give one for all or one for each"
              .formatted(file, machines, processes.size()));
    }
    List<Host> hosts = new ArrayList<>();
    int node = 0;
    for (String address : addresses.values()) {
      int count = processes.get(processes.size() == 1 ? 0 : hosts.size());
      if (count < 1) {
        throw new UserException("--procs-per-machine must be positive: procs-per-machine=" + count);
      }
      hosts.add(
          new Host(
              address,
              count,
              Optional.of(NodeSet.range(node, node + count - 1)),
              Optional.empty(),
              OptionalInt.empty(),
              hosts.size() + 1));
      node += count;
    }
    // Read back, so that what is written is what can be read.
    return HostsFile.parse(new HostsFile(hosts).text(), file.toString());
  }

  private static TreeMap<Integer, String> addresses(Path file) {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(Files.readString(file));
    } catch (IOException e) {
      throw new UserException("cannot read %s: %s".formatted(file, FileProblem.reason(e)), e);
    } catch (JacksonException e) {
      throw new UserException("%s is no JSON: %s".formatted(file, e.getOriginalMessage()), e);
    }
    if (!root.isObject() || root.isEmpty()) {
      throw new UserException(
          "%s is no list of machines; expected {\"0\": \"address\", \"1\": \"address\"}"
              .formatted(file));
    }
    TreeMap<Integer, String> addresses = new TreeMap<>();
    root.properties()
        .forEach(entry -> {
          if (!entry.getKey().matches("\\d{1,6}") || !entry.getValue().isString()) {
            throw new UserException(
                "%s: \"%s\" is not the number of a machine with its address"
                    .formatted(file, entry.getKey()));
          }
          addresses.put(Integer.parseInt(entry.getKey()), entry.getValue().asString().strip());
        });
    if (addresses.lastKey() != addresses.size() - 1) {
      throw new UserException(
          "%s: machines must be numbered from 0 without gaps, the last is %d of %d"
              .formatted(file, addresses.lastKey(), addresses.size()));
    }
    return addresses;
  }
}
