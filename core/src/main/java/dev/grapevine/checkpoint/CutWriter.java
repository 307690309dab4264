package dev.grapevine.checkpoint;

import dev.grapevine.FileProblem;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The thread that writes the nodes of a process, in the order in which they were handed over. */
final class CutWriter implements AutoCloseable {

  /** One cut while it is written; touched by the writer's thread alone. */
  static final class Job {
    private final int rounds;
    private final boolean isPlanned;
    private final Map<Integer, Written> files = new TreeMap<>();
    private boolean begun;
    private boolean hashes;
    private long hashing;
    private boolean failed;

    Job(int rounds, boolean isPlanned) {
      this.rounds = rounds;
      this.isPlanned = isPlanned;
    }

    int rounds() {
      return rounds;
    }
  }

  /** What becomes of a cut once all nodes of this process are on disk. */
  interface Completion {

    void complete(CutFile cut) throws IOException;

    /** Nothing comes of it. */
    void drop(int rounds);
  }

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

  /** Writes the file of a node, whose checksum is known, and gives its memory back. */
  void write(Job job, int node, Room.Block file, long crc32c) {
    work.add(() -> {
      attempt(job, () -> write(job, node, file.content().asByteBuffer(), crc32c));
      room.give(file);
    });
  }

  private void write(Job job, int node, ByteBuffer content, long crc32c) throws IOException {
    long start = System.nanoTime();
    if (!job.begun) {
      job.begun = true;
      job.hashes = hashing.isThereTime(start);
      store.begin(job.rounds);
    }
    job.files.put(node, store.write(job.rounds, node, content, crc32c, job.hashes));
    job.hashing += System.nanoTime() - start;
  }

  /** All nodes have handed over, and all figures up to the cut have been told. */
  void complete(Job job, Cuts.Moment moment, Map<String, Long> run, List<EndedNode> ended) {
    work.add(() -> {
      attempt(
          job,
          () -> {
            flush.run();
            completion.complete(
                new CutFile(identity, job.rounds, job.isPlanned, moment, run, ended, job.files));
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
