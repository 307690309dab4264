package dev.grapevine.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes of a run were: {@code deployment.json}. No result depends on it.
 *
 * @param session a name for this run of all workers, never used again
 * @param launcher the machine of the coordinator
 * @param encryption when connections were encrypted: {@code auto}, {@code always} or {@code never}
 * @param workers the workers by rank
 */
public record Deployment(String session, String launcher, String encryption, List<Worker> workers) {

  /**
   * A worker.
   *
   * @param nodes the nodes it had, such as {@code 0-3, 16}
   * @param host the name of its machine
   * @param address where the others reached it
   * @param process the number of its process
   * @param lost why it was lost, if it was
   */
  public record Worker(
      int rank, String nodes, String host, String address, long process, Optional<String> lost) {}

  public Deployment {
    workers = List.copyOf(workers);
  }

  String toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("session", session);
    json.put("launcher", launcher);
    json.put("encryption", encryption);
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Worker worker : workers) {
      Map<String, @Nullable Object> each = new LinkedHashMap<>();
      each.put("rank", worker.rank());
      each.put("nodes", worker.nodes());
      each.put("host", worker.host());
      each.put("address", worker.address());
      each.put("process_id", worker.process());
      each.put("lost", worker.lost().orElse(null));
      all.add(each);
    }
    json.put("workers", all);
    return Json.text(json);
  }
}
