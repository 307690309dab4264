package dev.grapevine.cluster;

import java.util.Arrays;

/**
 * What all workers of a run must have in common, and what the coordinator tells them.
 *
 * @param grapevine the version of Grapevine
 * @param experiment hash of the experiment as it was resolved, and of the files it names
 * @param data hash of the data
 * @param placement who has which nodes
 * @param directory where the results of the run go
 * @param savesModels whether final models are to be handed in
 * @param drops whether the run goes on without the nodes of a lost worker
 * @param patience how long one waits for another
 * @param from where it goes on
 * @param replacements starts lost workers again; {@link Replacements#NONE} where none can come back
 *     alone
 * @param othersGoOn whether the others go on when a worker is lost that comes back, and do not wait
 *     for it
 */
public record Terms(
    String grapevine,
    String experiment,
    String data,
    Placement placement,
    String directory,
    boolean savesModels,
    boolean drops,
    Patience patience,
    From from,
    Replacements replacements,
    boolean othersGoOn) {

  /** A run in which no worker comes back. */
  public Terms(
      String grapevine,
      String experiment,
      String data,
      Placement placement,
      String directory,
      boolean savesModels,
      boolean drops,
      Patience patience,
      From from) {
    this(
        grapevine,
        experiment,
        data,
        placement,
        directory,
        savesModels,
        drops,
        patience,
        from,
        Replacements.NONE,
        false);
  }

  /** Whether messages are kept for workers that come back, since the others wait for them. */
  boolean keepsMessages() {
    return replacesWorkers() && !othersGoOn;
  }

  /** Whether lost workers can come back alone. */
  boolean replacesWorkers() {
    return replacements != Replacements.NONE;
  }

  /**
   * Where a run goes on, or begins.
   *
   * @param round the round to begin with
   * @param time on the run's clock, in ns
   */
  public record From(int round, long time) {

    public static final From THE_BEGINNING = new From(0, 0);
  }

  /**
   * What is wrong with one who wants to join, in one sentence; empty if nothing is.
   *
   * @param firstRound the round that its nodes are to begin with
   */
  String complaint(Control.Join join, int firstRound) {
    if (join.protocol() != Control.VERSION || !join.grapevine().equals(grapevine)) {
      return "it is Grapevine %s (protocol %d), but this run is of Grapevine %s (protocol %d);"
              .formatted(join.grapevine(), join.protocol(), grapevine, Control.VERSION)
          + " install the same version on all machines";
    }
    if (join.world() != placement.workers() || join.rank() < 0 || join.rank() >= join.world()) {
      return "it is worker %d of %d, but this run has workers 0 to %d; start all with the same --world"
          .formatted(join.rank(), join.world(), placement.workers() - 1);
    }
    int[] nodes = placement.nodesOf(join.rank());
    if (!Arrays.equals(join.nodes(), nodes)) {
      return "it has built nodes %s, but is to have %s; start all with the same --nodes or none"
          .formatted(Placement.ranges(join.nodes()), Placement.ranges(nodes));
    }
    if (!join.experiment().equals(experiment)) {
      return "its experiment differs from that of the run (SHA-256 %s instead of %s); give all"
              .formatted(shortened(join.experiment()), shortened(experiment))
          + " workers the same file, the same --set and the same files that it names";
    }
    if (!join.data().equals(data)) {
      return "its data differ from those of the run (SHA-256 %s instead of %s); fetch the same set"
              .formatted(shortened(join.data()), shortened(data))
          + " on all machines";
    }
    if (join.firstRound() != firstRound) {
      return "it goes on after round %d, but the run after round %d; start all with the same --out"
              .formatted(join.firstRound(), firstRound)
          + " and --resume";
    }
    return "";
  }

  private static String shortened(String hash) {
    return hash.length() <= 12 ? hash : hash.substring(0, 12) + "…";
  }
}
