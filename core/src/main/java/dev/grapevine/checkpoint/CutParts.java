package dev.grapevine.checkpoint;

import dev.grapevine.FileProblem;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import dev.grapevine.state.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts together the cuts of a run in many processes: each worker writes its own nodes and says what
 * it has written; a cut is complete once all have. Used by one thread, but for what it hands out.
 */
public final class CutParts {

  private final Checkpoints.Place place;
  private final CutStore store;
  private final int[] workerOf;
  private final State run;
  private final IntConsumer over;
  private final BitSet workers = new BitSet();
  private final Map<Integer, Gathered> open = new TreeMap<>();

  /** What workers without living nodes have to add to every cut, by worker. */
  private final Map<Integer, List<EndedNode>> gone = new HashMap<>();

  /** Workers that are to come back; no cut is complete without them. */
  private final BitSet away = new BitSet();

  private @Nullable String lastWarning;
  private volatile int newest;

  /**
   * @param workerOf the worker of each node
   * @param run numbers of the whole run
   * @param begun after how many rounds the run goes on
   * @param over hears, on the thread that completes a cut, after how many rounds it is, or would
   *     have been
   */
  public CutParts(Checkpoints.Place place, int[] workerOf, State run, int begun, IntConsumer over) {
    this.place = place;
    this.store = new CutStore(place.folder(), place.settings().keep(), true);
    this.workerOf = workerOf.clone();
    this.run = run;
    this.over = over;
    this.newest = begun;
    for (int worker : workerOf) {
      workers.set(worker);
    }
  }

  private static final class Gathered {
    private final BitSet outstanding = new BitSet();
    private final Map<Integer, Written> files = new TreeMap<>();
    private final List<EndedNode> ended = new ArrayList<>();
    private long time;
    private boolean failed;
  }

  /** A cut whose parts are all in. */
  public final class Whole {
    private final int rounds;
    private final Gathered parts;

    private Whole(int rounds, Gathered parts) {
      this.rounds = rounds;
      this.parts = parts;
    }

    /** When the last node was saved, on the run's clock in ns. */
    public long time() {
      return parts.time;
    }

    /** To be called once all figures up to the cut have been recorded; one after the other. */
    public void complete() {
      try {
        if (!parts.failed) {
          place.flush().run();
          store.complete(
              new CutFile(
                  place.identity(),
                  rounds,
                  place.settings().isDue(rounds),
                  new Cuts.Moment(parts.time, OptionalLong.empty()),
                  CutFile.numbers(run),
                  parts.ended,
                  parts.files));
          lastWarning = null;
          newest = Math.max(newest, rounds);
        } else {
          store.drop(rounds);
        }
      } catch (IOException | RuntimeException e) {
        tell(e);
        store.drop(rounds);
      }
      over.accept(rounds);
    }

    private void tell(Exception e) {
      String reason =
          e instanceof IOException failure ? FileProblem.reason(failure) : String.valueOf(e);
      if (!reason.equals(lastWarning)) {
        lastWarning = reason;
        place.warn().accept(CutWriter.warning(rounds, store.folder(), reason));
      }
    }
  }

  /**
   * A worker says what it has written.
   *
   * @param rounds after how many rounds; 0 for what holds from now on, because none of its nodes
   *     goes on
   * @param part as {@link Checkpoints.Taker} gets it
   * @return the cuts that this makes whole
   * @throws IllegalArgumentException when it says what cannot be
   */
  public List<Whole> take(int worker, int rounds, String part) {
    Optional<CutFile> file = part.isEmpty() ? Optional.empty() : Optional.of(parse(worker, part));
    if (rounds == 0) {
      return file.map(last -> leave(worker, last.ended())).orElse(List.of());
    }
    Gathered cut = open.computeIfAbsent(rounds, this::begin);
    cut.failed |= file.isEmpty();
    cut.outstanding.clear(worker);
    file.ifPresent(written -> {
      cut.files.putAll(written.files());
      cut.ended.addAll(written.ended());
      cut.time = Math.max(cut.time, written.moment().time());
    });
    return whole();
  }

  private Gathered begin(int rounds) {
    Gathered cut = new Gathered();
    cut.outstanding.or(workers);
    gone.forEach((worker, ended) -> {
      cut.outstanding.clear(worker);
      cut.ended.addAll(ended);
    });
    cut.outstanding.andNot(away);
    cut.failed = !away.isEmpty();
    return cut;
  }

  /** A worker was lost while all others go on: what is saved without it comes to nothing. */
  public List<Whole> leaveForAWhile(int worker) {
    if (!gone.containsKey(worker)) {
      away.set(worker);
      open.values()
          .forEach(cut -> {
            cut.failed |= cut.outstanding.get(worker);
            cut.outstanding.clear(worker);
          });
    }
    return whole();
  }

  /** A worker that was away says again what it has written. */
  public void isBack(int worker) {
    away.clear(worker);
  }

  /** A worker has no nodes any more that go on, however they ended. */
  public List<Whole> leave(int worker, List<EndedNode> ended) {
    gone.put(worker, List.copyOf(ended));
    open.values()
        .forEach(cut -> {
          if (cut.outstanding.get(worker)) {
            cut.outstanding.clear(worker);
            cut.ended.addAll(ended);
          }
        });
    return whole();
  }

  /** A worker that was lost comes back, and says again what it has written. */
  public void forget(int worker) {
    gone.remove(worker);
    open.values()
        .forEach(cut -> {
          cut.outstanding.set(worker);
          cut.files.keySet().removeIf(node -> workerOf[node] == worker);
          cut.ended.removeIf(node -> workerOf[node.outcome().node()] == worker);
        });
  }

  /** After how many rounds the newest complete cut is, or the run began; asked by any thread. */
  public int newest() {
    return newest;
  }

  private List<Whole> whole() {
    List<Whole> whole = new ArrayList<>();
    for (Map.Entry<Integer, Gathered> cut : List.copyOf(open.entrySet())) {
      if (cut.getValue().outstanding.isEmpty()) {
        open.remove(cut.getKey());
        whole.add(new Whole(cut.getKey(), cut.getValue()));
      }
    }
    return whole;
  }

  private CutFile parse(int worker, String part) {
    CutFile file;
    try {
      file = CutFile.parse(part);
    } catch (UnusableCut e) {
      throw new IllegalArgumentException("it tells of a checkpoint, but " + e.reason(), e);
    }
    List<Integer> nodes = new ArrayList<>(file.files().keySet());
    file.ended().forEach(node -> nodes.add(node.outcome().node()));
    for (int node : nodes) {
      if (node < 0 || node >= workerOf.length || workerOf[node] != worker) {
        throw new IllegalArgumentException("node %d is not its own".formatted(node));
      }
    }
    return file;
  }

  /** No cut comes any more. */
  public void end() {
    store.end();
  }
}
