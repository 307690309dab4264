package dev.grapevine.results;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The right to go on with a run, which one process has at a time. The system takes it back when the
 * process ends, however that comes about, so that nothing is left in the way of the next.
 */
public final class RunClaim implements AutoCloseable {

  /** That of a run which nobody else can go on with. */
  public static final RunClaim NOT_NEEDED = new RunClaim(null);

  private final @Nullable RandomAccessFile file;

  private RunClaim(@Nullable RandomAccessFile file) {
    this.file = file;
  }

  /**
   * Claims a run. Where the file system knows no locks, everybody may have it.
   *
   * @param folder where the file goes that is locked
   * @return empty if another process, or another run of this one, has it
   */
  // The claim that is returned closes the file.
  @SuppressWarnings("resource")
  static Optional<RunClaim> in(Path folder) {
    RandomAccessFile file;
    try {
      Files.createDirectories(folder);
      file = new RandomAccessFile(folder.resolve("claim").toFile(), "rw");
    } catch (IOException e) {
      return Optional.of(NOT_NEEDED);
    }
    try {
      FileLock lock = file.getChannel().tryLock();
      if (lock != null) {
        return Optional.of(new RunClaim(file));
      }
    } catch (OverlappingFileLockException taken) {
      // By this process: the same as by another.
    } catch (IOException noLocks) {
      return Optional.of(new RunClaim(file));
    }
    new RunClaim(file).close();
    return Optional.empty();
  }

  @Override
  public void close() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw WriteFailure.of(Path.of("claim"), e);
      }
    }
  }
}
