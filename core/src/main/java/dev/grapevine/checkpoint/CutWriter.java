package dev.grapevine.checkpoint;

import dev.grapevine.FileProblem;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the nodes of a process. As long as files are about as quick to write as to copy, since the
 * system keeps them in memory, each node writes its own, piece by piece from what it has just
 * copied. Otherwise it leaves a copy to a thread, so that nobody waits for a slow disk or for
 * SHA-256; the thread also completes cuts, in the order of what was handed over.
 */
final class CutWriter implements AutoCloseable {

  /** One cut while it is written. */
  static final class Job {
    private final int rounds;
    private final boolean isPlanned;
    private final Map<Integer, Written> files = new ConcurrentHashMap<>();

    /** Where it goes, once somebody has begun it. */
    private volatile @Nullable Path folder;

    private volatile boolean hashes;
    private volatile boolean failed;

    /** What SHA-256 took, in ns; touched by the thread alone. */
    private long hashing;

    Job(int rounds, boolean isPlanned) {
      this.rounds = rounds;
      this.isPlanned = isPlanned;
    }

    int rounds() {
      return rounds;
    }

    private Overwriting overwriting(int node) throws IOException {
      return new Overwriting(Objects.requireNonNull(folder).resolve(NodeFile.name(node)));
    }
  }

  /** What becomes of a cut once all nodes of this process are on disk. */
  interface Completion {

    void complete(CutFile cut) throws IOException;

    /** Nothing comes of it. */
    void drop(int rounds);
  }

  /** What a node copies before it writes it: as much as stays in a processor's own cache. */
  private static final long PIECE = 1 << 18;

  /**
   * A file is quick that takes no longer than this and a nanosecond a byte, in ns: memory takes a
   * tenth of it, a disk or a network more.
   */
  private static final long QUICK = 1_000_000;

  /**
   * More than so much work for the thread, and nodes leave it the rest: they need room for that, so
   * they cannot run away from it.
   */
  private static final int BEHIND = 2;

  private final CutStore store;
  private final Completion completion;
  private final Identity identity;
  private final Room room;
  private final Runnable flush;
  private final Consumer<String> warn;
  private final Consumer<Job> over;
  private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final HashingShare hashing = new HashingShare();
  private final Thread thread;
  private volatile boolean closing;

  /** Whether the last file was quick to write. */
  private volatile boolean isQuick;

  private @Nullable String lastWarning;

  /**
   * @param flush hands over all that was recorded so far, before a cut is complete
   * @param over hears when nothing more will be done for a cut
   */
  CutWriter(
      CutStore store,
      Completion completion,
      Identity identity,
      Room room,
      Runnable flush,
      Consumer<String> warn,
      Consumer<Job> over) {
    this.store = store;
    this.completion = completion;
    this.identity = identity;
    this.room = room;
    this.flush = flush;
    this.warn = warn;
    this.over = over;
    thread = Thread.ofPlatform().daemon().name("checkpoints").start(this::run);
  }

  private void run() {
    while (!closing || !work.isEmpty()) {
      try {
        work.take().run();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Writes the file of a node, or sees to it that it will be written. */
  void write(Job job, int node, NodeFile file) throws InterruptedException {
    try {
      if (isQuick && work.size() <= BEHIND && !job.failed && !begun(job).hashes) {
        writeAtOnce(job, node, file);
        return;
      }
    } catch (ClosedByInterruptException stopped) {
      Thread.interrupted();
      throw new InterruptedException();
    } catch (IOException | RuntimeException e) {
      work.add(() -> fail(job, e));
      return;
    }
    handOver(job, node, file);
  }

  private void writeAtOnce(Job job, int node, NodeFile file)
      throws IOException, InterruptedException {
    Room.Block piece = room.take(PIECE);
    try {
      long start = System.nanoTime();
      long crc32c;
      try (Overwriting out = job.overwriting(node)) {
        crc32c = file.copyTo(piece.content(), out);
      }
      tookSince(start, file.size());
      job.files.put(node, new Written(file.size(), crc32c, Optional.empty()));
    } finally {
      room.give(piece);
    }
  }

  private void handOver(Job job, int node, NodeFile file) throws InterruptedException {
    Room.Block copy = room.take(file.size());
    long crc32c = file.copyTo(copy.content());
    work.add(() -> {
      attempt(job, () -> write(job, node, copy.content().asByteBuffer(), crc32c));
      room.give(copy);
    });
  }

  private void write(Job job, int node, ByteBuffer content, long crc32c) throws IOException {
    long start = System.nanoTime();
    Written written = Written.of(content, crc32c, begun(job).hashes);
    job.hashing += System.nanoTime() - start;
    start = System.nanoTime();
    try (Overwriting out = job.overwriting(node)) {
      out.take(content);
    }
    tookSince(start, written.bytes());
    job.files.put(node, written);
  }

  private Job begun(Job job) throws IOException {
    synchronized (job) {
      if (job.folder == null) {
        job.hashes = hashing.isThereTime(System.nanoTime());
        job.folder = store.begin(job.rounds);
      }
    }
    return job;
  }

  private void tookSince(long start, long bytes) {
    isQuick = System.nanoTime() - start <= QUICK + bytes;
  }

  /** All nodes have handed over, and all figures up to the cut have been told. */
  void complete(Job job, Cuts.Moment moment, Map<String, Long> run, List<EndedNode> ended) {
    work.add(() -> {
      attempt(
          job,
          () -> {
            flush.run();
            completion.complete(
                new CutFile(
                    identity,
                    job.rounds,
                    job.isPlanned,
                    moment,
                    run,
                    ended,
                    new TreeMap<>(job.files)));
            lastWarning = null;
          });
      if (job.hashes) {
        hashing.hashed(job.hashing, System.nanoTime());
      }
      over.accept(job);
    });
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /** Does a step for a cut, and nothing any more once one has failed. */
  private void attempt(Job job, Step step) {
    if (job.failed) {
      return;
    }
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      fail(job, e);
    }
  }

  private void fail(Job job, Exception e) {
    if (!job.failed) {
      job.failed = true;
      tell(job, e);
      completion.drop(job.rounds);
    }
  }

  private void tell(Job job, Exception e) {
    String reason =
        e instanceof IOException failure ? FileProblem.reason(failure) : String.valueOf(e);
    if (!reason.equals(lastWarning)) {
      lastWarning = reason;
      warn.accept(warning(job.rounds, store.folder(), reason));
    }
  }

  /** What is told of a cut that comes to nothing. */
  static String warning(int rounds, Path folder, String reason) {
    return "the checkpoint after round %d could not be written to %s: %s; the run goes on, and the"
            .formatted(rounds, folder, reason)
        + " checkpoint before is kept";
  }

  /** Writes what has been handed over and ends. */
  @Override
  public void close() {
    closing = true;
    work.add(() -> {});
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
