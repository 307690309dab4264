package dev.grapevine.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Brings cuts to the disk itself. A crash of the process needs none of it, a power failure does:
 * seldom enough to cost little, and beside the thread that writes the next cut, since the nodes
 * would soon wait for that one. Used by one thread.
 */
final class DiskSync {

  private static final long NANOS_BETWEEN = Duration.ofSeconds(10).toNanos();

  private record Pending(int rounds, FutureTask<@Nullable Void> task, Thread thread) {}

  private final Path folder;
  private final long nanosBetween;
  private long last = System.nanoTime();
  private @Nullable Pending pending;
  private int newest;

  /**
   * @param folder where all cuts lie
   * @param newest after how many rounds the newest one is that is there already
   */
  DiskSync(Path folder, int newest) {
    this(folder, newest, NANOS_BETWEEN);
  }

  DiskSync(Path folder, int newest, long nanosBetween) {
    this.folder = folder;
    this.newest = newest;
    this.nanosBetween = nanosBetween;
  }

  /** Brings all files of a folder to the disk, and its list of them. */
  static void sync(Path folder) throws IOException {
    for (Path file : CutFolders.files(folder)) {
      // Without the time of the last change, which would be an entry of a file system's journal.
      sync(file, StandardOpenOption.WRITE, false);
    }
    syncList(folder);
  }

  /** Brings what a folder holds to the disk, but not the files themselves. */
  static void syncList(Path folder) throws IOException {
    sync(folder, StandardOpenOption.READ, true);
  }

  private static void sync(Path path, OpenOption how, boolean all) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(all);
    }
  }

  /** A cut is on the disk. */
  void synced(int rounds) {
    newest = Math.max(newest, rounds);
    last = System.nanoTime();
  }

  /**
   * A cut is whole: begins to bring it to the disk if it is time.
   *
   * @throws IOException what became of the one before
   */
  void whole(int rounds) throws IOException {
    settle();
    if (pending == null && System.nanoTime() - last >= nanosBetween) {
      FutureTask<@Nullable Void> task =
          new FutureTask<>(() -> {
            sync(CutFolders.of(folder, rounds));
            syncList(folder);
            return null;
          });
      pending =
          new Pending(
              rounds, task, Thread.ofPlatform().daemon().name("checkpoints-to-disk").start(task));
    }
  }

  /** Whether a cut must stay: a power failure leaves no newer one as it is. */
  boolean needs(int rounds) {
    return rounds == newest || (pending != null && rounds == pending.rounds());
  }

  private void settle() throws IOException {
    Pending done = pending;
    if (done != null && done.task().isDone()) {
      pending = null;
      last = System.nanoTime();
      try {
        done.task().get();
        synced(done.rounds());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
      } catch (InterruptedException | CancellationException e) {
        throw new AssertionError("it is done", e);
      }
    }
  }

  /** No cut comes any more. */
  void end() {
    Pending left = pending;
    pending = null;
    if (left != null) {
      left.task().cancel(true);
      boolean interrupted = false;
      while (left.thread().isAlive()) {
        try {
          left.thread().join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
