package dev.grapevine.checkpoint;

import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.state.State;
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
 * Saves a run while it goes. Nodes hand over copies of what they remember and go on; a thread of
 * its own writes them. When that falls behind, nodes wait for room, so that memory stays bounded.
 * When a cut cannot be written, the run goes on with a warning and the cut before stays.
 */
public final class Checkpoints implements Cuts, AutoCloseable {

  /** What may wait to be written, in bytes. */
  private static final long ROOM = 256L << 20;

  private final CheckpointSettings settings;
  private final CutWriter writer;
  private final int nodes;
  private final State run;
  private final Map<Integer, OpenCut> open = new TreeMap<>();
  private final Map<Integer, EndedNode> ended = new HashMap<>();
  private @Nullable Source source;
  private long waiting;
  private int latestRound = -1;
  private int extraRound = -1;
  private @Nullable Runnable whenExtraIsSaved;

  /**
   * @param folder where cuts go
   * @param nodes how many nodes there are, servers included
   * @param run numbers of the whole run
   * @param flush hands over all that was recorded so far, before a cut is complete
   * @param warn takes what could not be saved, and why
   */
  public Checkpoints(
      Path folder,
      CheckpointSettings settings,
      Identity identity,
      int nodes,
      State run,
      Runnable flush,
      Consumer<String> warn) {
    this.settings = settings;
    this.nodes = nodes;
    this.run = run;
    this.writer = new CutWriter(folder, settings.keep(), identity, flush, warn, this::written);
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

  @Override
  public synchronized void save(int round, int node, Map<String, State.Saved> state)
      throws InterruptedException {
    long bytes = NodeFile.bytes(state);
    while (waiting > 0 && waiting + bytes > ROOM) {
      wait();
    }
    waiting += bytes;
    OpenCut cut = open.computeIfAbsent(round, this::begin);
    writer.write(cut.job, node, state, bytes);
    cut.outstanding.clear(node);
    completeIfAllAreIn(round, cut);
  }

  private OpenCut begin(int round) {
    OpenCut cut = new OpenCut(new CutWriter.Job(round + 1, settings.isDue(round + 1)));
    cut.outstanding.set(0, nodes);
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
  }

  private void completeIfAllAreIn(int round, OpenCut cut) {
    Source from = source;
    if (!cut.outstanding.isEmpty() || from == null) {
      return;
    }
    open.remove(round);
    Map<String, Long> numbers = new TreeMap<>();
    run.snapshot()
        .forEach((name, saved) -> {
          if (saved instanceof State.Value(long value)) {
            numbers.put(name, value);
          }
        });
    writer.complete(
        cut.job, from.moment(), numbers, List.copyOf(cut.ended), () -> from.hasRecorded(round));
  }

  private void written(CutWriter.Job job, long bytes, boolean isOver) {
    Runnable told = null;
    synchronized (this) {
      waiting -= bytes;
      notifyAll();
      if (isOver && job.rounds() - 1 == extraRound) {
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
  }
}
