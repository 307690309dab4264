package dev.grapevine.checkpoint;

import dev.grapevine.FileProblem;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import dev.grapevine.state.State;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The thread that writes cuts, in the order in which they were handed over. */
final class CutWriter implements AutoCloseable {

  /** A crash of the process needs no sync, a power failure does; seldom enough to cost nothing. */
  private static final long NANOS_BETWEEN_SYNCS = Duration.ofSeconds(10).toNanos();

  private static final Duration A_MOMENT = Duration.ofMillis(2);

  /** One cut while it is written; touched by the writer's thread alone. */
  static final class Job {
    private final int rounds;
    private final boolean isPlanned;
    private final Map<Integer, NodeFile.Written> files = new TreeMap<>();
    private boolean begun;
    private boolean failed;

    Job(int rounds, boolean isPlanned) {
      this.rounds = rounds;
      this.isPlanned = isPlanned;
    }

    int rounds() {
      return rounds;
    }
  }

  /** Hears of every step. */
  @FunctionalInterface
  interface Listener {

    /**
     * @param bytes of state that wait no longer
     * @param isOver whether nothing more will be done for the cut
     */
    void written(Job job, long bytes, boolean isOver);
  }

  private final Path folder;
  private final int keep;
  private final Identity identity;
  private final Runnable flush;
  private final Consumer<String> warn;
  private final Listener listener;
  private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closing;
  private long lastSync = System.nanoTime() - NANOS_BETWEEN_SYNCS;
  private @Nullable String lastWarning;

  CutWriter(
      Path folder,
      int keep,
      Identity identity,
      Runnable flush,
      Consumer<String> warn,
      Listener listener) {
    this.folder = folder;
    this.keep = keep;
    this.identity = identity;
    this.flush = flush;
    this.warn = warn;
    this.listener = listener;
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

  void write(Job job, int node, Map<String, State.Saved> state, long bytes) {
    work.add(() -> {
      attempt(
          job,
          () -> {
            begin(job);
            job.files.put(node, NodeFile.write(folderOf(job), node, state));
          });
      listener.written(job, bytes, false);
    });
  }

  /**
   * All nodes have handed over.
   *
   * @param isRecorded whether all figures up to the cut have been told
   */
  void complete(
      Job job,
      Cuts.Moment moment,
      Map<String, Long> run,
      List<EndedNode> ended,
      BooleanSupplier isRecorded) {
    work.add(() -> {
      attempt(
          job,
          () -> {
            if (awaitRecorded(isRecorded)) {
              flush.run();
              finish(
                  job,
                  new CutFile(identity, job.rounds, job.isPlanned, moment, run, ended, job.files));
            } else {
              CutFolders.delete(folderOf(job));
            }
          });
      listener.written(job, 0, true);
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
      try {
        CutFolders.delete(folderOf(job));
      } catch (IOException left) {
        // Without its last file it is no cut, whatever is left of it.
        return;
      }
    }
  }

  private void tell(Job job, Exception e) {
    String reason =
        e instanceof IOException failure ? FileProblem.reason(failure) : String.valueOf(e);
    if (!reason.equals(lastWarning)) {
      lastWarning = reason;
      warn.accept(
          "the checkpoint after round %d could not be written to %s: %s; the run goes on, and the"
                  .formatted(job.rounds, folder, reason)
              + " checkpoint before is kept");
    }
  }

  private Path folderOf(Job job) {
    return CutFolders.of(folder, job.rounds);
  }

  /** Empties what an earlier attempt has left. */
  private void begin(Job job) throws IOException {
    if (!job.begun) {
      job.begun = true;
      CutFolders.delete(folderOf(job));
      Files.createDirectories(folderOf(job));
    }
  }

  /** False when the run is over and what is missing will not come. */
  private boolean awaitRecorded(BooleanSupplier isRecorded) {
    while (!isRecorded.getAsBoolean()) {
      if (closing) {
        return isRecorded.getAsBoolean();
      }
      try {
        Thread.sleep(A_MOMENT);
      } catch (InterruptedException e) {
        return false;
      }
    }
    return true;
  }

  private void finish(Job job, CutFile file) throws IOException {
    Path target = folderOf(job);
    boolean syncs = System.nanoTime() - lastSync >= NANOS_BETWEEN_SYNCS;
    if (syncs) {
      for (int node : job.files.keySet()) {
        sync(target.resolve(NodeFile.name(node)), StandardOpenOption.WRITE);
      }
    }
    Path partial = target.resolve(CutFile.NAME + ".partial");
    try (FileOutputStream out = new FileOutputStream(partial.toFile())) {
      out.write(file.toJson().getBytes(StandardCharsets.UTF_8));
      if (syncs) {
        out.getFD().sync();
      }
    }
    Files.move(partial, target.resolve(CutFile.NAME), StandardCopyOption.ATOMIC_MOVE);
    if (syncs) {
      sync(target, StandardOpenOption.READ);
      sync(folder, StandardOpenOption.READ);
      lastSync = System.nanoTime();
    }
    lastWarning = null;
    prune(job.rounds);
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }

  /** Deletes what is older than the cuts that are kept, and what is left of older attempts. */
  private void prune(int newest) throws IOException {
    int complete = 0;
    for (Map.Entry<Integer, Path> cut : CutFolders.all(folder).entrySet()) {
      if (cut.getKey() > newest) {
        continue;
      }
      if (CutFolders.isComplete(cut.getValue())) {
        complete++;
        if (complete > keep) {
          CutFolders.delete(cut.getValue());
        }
      } else {
        CutFolders.delete(cut.getValue());
      }
    }
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
