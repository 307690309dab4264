package dev.grapevine.cluster;

import dev.grapevine.UserException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which worker this process is, and of how many.
 *
 * @param rank from 0
 * @param world how many there are
 */
public record Rank(int rank, int world) {

  /** Two variables of one who starts processes. */
  private record Habit(String rank, String world) {}

  private static final List<Habit> HABITS =
      List.of(
          new Habit("GRAPEVINE_RANK", "GRAPEVINE_WORLD"),
          new Habit("SLURM_PROCID", "SLURM_NTASKS"),
          new Habit("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
          new Habit("PMI_RANK", "PMI_SIZE"),
          // Kubernetes does not say how many there are.
          new Habit("JOB_COMPLETION_INDEX", "GRAPEVINE_WORLD"));

  public Rank {
    if (world < 1 || rank < 0 || rank >= world) {
      throw new UserException(
          "ranks go from 0 to one below the number of workers: rank=%d, world=%d"
              .formatted(rank, world));
    }
  }

  /**
   * From the command line or, what it leaves out, from the variables that Slurm, Open MPI, PMI and
   * Kubernetes set.
   */
  public static Rank of(OptionalInt rank, OptionalInt world, Map<String, String> environment) {
    for (Habit habit : HABITS) {
      OptionalInt found = number(habit.rank(), environment);
      if (found.isPresent() || rank.isPresent()) {
        OptionalInt size = world.isPresent() ? world : number(habit.world(), environment);
        if (size.isPresent()) {
          return new Rank(rank.orElseGet(found::getAsInt), size.getAsInt());
        }
      }
    }
    throw new UserException(
        "a worker needs its rank and how many there are: give --rank and --world, or start it with"
            + " srun, mpirun or as an indexed job with GRAPEVINE_WORLD");
  }

  /** How many workers are on this machine, where the one who started them says so. */
  public static Optional<Integer> onThisMachine(Map<String, String> environment) {
    for (String name :
        List.of("GRAPEVINE_LOCAL_WORKERS", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")) {
      OptionalInt count = number(name, environment);
      if (count.isPresent()) {
        return Optional.of(Math.max(1, count.getAsInt()));
      }
    }
    return Optional.ofNullable(environment.get("SLURM_STEP_TASKS_PER_NODE"))
        .flatMap(Rank::largestOfSlurm);
  }

  /** The largest count of a list such as {@code 4(x2),3}. */
  private static Optional<Integer> largestOfSlurm(String list) {
    Optional<Integer> largest = Optional.empty();
    for (String part : list.split(",")) {
      String count = part.replaceAll("\\(.*", "").strip();
      if (count.matches("\\d{1,6}") && Integer.parseInt(count) > largest.orElse(0)) {
        largest = Optional.of(Integer.parseInt(count));
      }
    }
    return largest;
  }

  private static OptionalInt number(String name, Map<String, String> environment) {
    String text = environment.get(name);
    if (text == null) {
      return OptionalInt.empty();
    }
    if (!text.strip().matches("\\d{1,6}")) {
      throw new UserException("%s is no count: %s=%s".formatted(name, name, text));
    }
    return OptionalInt.of(Integer.parseInt(text.strip()));
  }
}
