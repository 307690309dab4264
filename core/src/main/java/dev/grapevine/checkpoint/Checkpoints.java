package dev.grapevine.checkpoint;

import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.state.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Saves the nodes of a process while they go. A node writes what it remembers as fast as it copies
 * it, or leaves the copy to a thread and goes on. When that falls behind, nodes wait for room, so
 * that memory stays bounded. When a cut cannot be written, the run goes on with a warning and the
 * cut before stays.
 */
public final class Checkpoints implements Cuts, AutoCloseable {

  private final CheckpointSettings settings;
  private final CutStore store;
  private final CutWriter writer;
  private final Room room = new Room();
  private final boolean completes;
  private final BitSet nodes;
  private final State run;
  private final Map<Integer, OpenCut> open = new TreeMap<>();
  private final Map<Integer, EndedNode> ended = new HashMap<>();
  private @Nullable Source source;
  private int latestRound;
  private boolean held;
  private int extraRound = -1;
  private @Nullable Runnable whenExtraIsSaved;

  /**
   * Where cuts go and who hears of them.
   *
   * @param folder where cuts go
   * @param flush hands over all that was recorded so far, before a cut is complete
   * @param warn takes what could not be saved, and why
   */
  public record Place(
      Path folder,
      CheckpointSettings settings,
      Identity identity,
      Runnable flush,
      Consumer<String> warn) {}

  /** Takes one worker's part of a cut, as {@link CutParts} reads it. */
  @FunctionalInterface
  public interface Taker {

    /**
     * @param rounds after how many rounds; 0 for what holds from now on, since no node goes on
     * @param time when the last node was saved, on the run's clock in ns
     * @param part says what the worker has written; empty if that failed
     */
    void take(int rounds, long time, String part);
  }

  private Checkpoints(Place place, BitSet nodes, State run, int firstRound, @Nullable Taker taker) {
    this.settings = place.settings();
    this.nodes = nodes;
    this.run = run;
    completes = taker == null;
    latestRound = firstRound - 1;
    store = new CutStore(place.folder(), settings.keep(), false);
    writer =
        new CutWriter(
            store,
            taker == null ? completing(store) : handingOn(taker),
            place.identity(),
            room,
            place.flush(),
            place.warn(),
            this::over);
  }

  /**
   * For a run in one process.
   *
   * @param nodes how many nodes there are, servers included
   * @param run numbers of the whole run
   * @param firstRound the round that it begins with: not the first if it goes on from a cut
   */
  public static Checkpoints ofRun(Place place, int nodes, State run, int firstRound) {
    BitSet all = new BitSet();
    all.set(0, nodes);
    return new Checkpoints(place, all, run, firstRound, null);
  }

  /**
   * For one worker of many, which saves its own nodes; another completes the cut.
   *
   * @param nodes the worker's own
   * @param firstRound the round that they begin with: not the first if they go on from a cut
   */
  public static Checkpoints ofWorker(Place place, int[] nodes, int firstRound, Taker taker) {
    BitSet own = new BitSet();
    for (int node : nodes) {
      own.set(node);
    }
    return new Checkpoints(place, own, State.fresh(), firstRound, taker);
  }

  private static CutWriter.Completion completing(CutStore store) {
    return new CutWriter.Completion() {
      @Override
      public void complete(CutFile cut) throws IOException {
        store.complete(cut);
      }

      @Override
      public void drop(int rounds) {
        store.drop(rounds);
      }
    };
  }

  private static CutWriter.Completion handingOn(Taker taker) {
    return new CutWriter.Completion() {
      @Override
      public void complete(CutFile cut) {
        taker.take(cut.rounds(), cut.moment().time(), cut.toJson());
      }

      @Override
      public void drop(int rounds) {
        taker.take(rounds, Long.MIN_VALUE, "");
      }
    };
  }

  /** A cut that not all nodes have reached. */
  private static final class OpenCut {
    private final CutWriter.Job job;
    private final BitSet outstanding = new BitSet();
    private final List<EndedNode> ended = new ArrayList<>();

    OpenCut(CutWriter.Job job) {
      this.job = job;
    }
  }

  @Override
  public synchronized void begin(Source run) {
    source = run;
  }

  @Override
  public synchronized boolean due(int round) {
    while (held && round > latestRound) {
      try {
        wait();
      } catch (InterruptedException stopped) {
        // The run ends, and nothing is asked of this node any more.
        Thread.currentThread().interrupt();
        break;
      }
    }
    latestRound = Math.max(latestRound, round);
    return settings.isDue(round + 1) || round == extraRound;
  }

  /**
   * Asks for a cut at the end of the next round that no node has finished.
   *
   * @param whenSaved run once it is on disk, or could not be written
   */
  public synchronized void saveSoon(Runnable whenSaved) {
    if (extraRound < 0) {
      extraRound = latestRound + 1;
      whenExtraIsSaved = whenSaved;
    }
  }

  /**
   * Lets no node end a later round than the latest until {@link #saveAfter} is called.
   *
   * @return the latest round that a node of this process has ended, be it before the cut that they
   *     go on from; -1 for none
   */
  public synchronized int hold() {
    held = extraRound < 0;
    return latestRound;
  }

  /** Asks for a cut at the end of a round that no node has finished. */
  public synchronized void saveAfter(int round) {
    if (extraRound < 0) {
      extraRound = round;
    }
    held = false;
    notifyAll();
  }

  @Override
  public void save(int round, int node, Map<String, State.Saved> state)
      throws InterruptedException {
    OpenCut cut;
    synchronized (this) {
      cut = open.computeIfAbsent(round, this::begin);
    }
    writer.write(cut.job, node, new NodeFile(state));
    synchronized (this) {
      cut.outstanding.clear(node);
      completeIfAllAreIn(round, cut);
    }
  }

  private OpenCut begin(int round) {
    OpenCut cut = new OpenCut(new CutWriter.Job(round + 1, settings.isDue(round + 1)));
    cut.outstanding.or(nodes);
    ended.forEach((node, how) -> {
      cut.outstanding.clear(node);
      cut.ended.add(how);
    });
    return cut;
  }

  @Override
  public synchronized void ended(NodeOutcome outcome, boolean told) {
    EndedNode how = new EndedNode(outcome, told);
    ended.put(outcome.node(), how);
    List.copyOf(open.entrySet())
        .forEach(entry -> {
          OpenCut cut = entry.getValue();
          if (cut.outstanding.get(outcome.node())) {
            cut.outstanding.clear(outcome.node());
            cut.ended.add(how);
            completeIfAllAreIn(entry.getKey(), cut);
          }
        });
    if (!completes && ended.size() == nodes.cardinality()) {
      // Nothing more is saved here, and all later cuts are complete without it.
      writer.complete(
          new CutWriter.Job(0, true), Moment.START, Map.of(), List.copyOf(ended.values()));
    }
  }

  private void completeIfAllAreIn(int round, OpenCut cut) {
    Source from = source;
    if (!cut.outstanding.isEmpty() || from == null) {
      return;
    }
    open.remove(round);
    Moment moment = from.moment();
    Map<String, Long> numbers = CutFile.numbers(run);
    List<EndedNode> gone = List.copyOf(cut.ended);
    from.whenRecorded(round, () -> writer.complete(cut.job, moment, numbers, gone));
  }

  private void over(CutWriter.Job job) {
    Runnable told = null;
    synchronized (this) {
      if (job.rounds() - 1 == extraRound) {
        told = whenExtraIsSaved;
        whenExtraIsSaved = null;
      }
    }
    if (told != null) {
      told.run();
    }
  }

  /** Writes what all nodes have handed over; drops what is not whole. */
  @Override
  public void close() {
    writer.close();
    room.close();
    if (completes) {
      store.end();
    }
  }
}
