package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cache folder: one sub-folder per data set. A set is put together in a temporary folder and
 * then renamed, so it is there whole or not at all; a lock file makes other processes wait instead
 * of fetching the same set again.
 */
public final class DataDirectory {

  /** The environment variable that names the folder. */
  public static final String VARIABLE = "GRAPEVINE_DATA";

  // Locks on files exclude processes, not the threads of one process.
  private static final ReentrantLock ONE_THREAD = new ReentrantLock();

  private final Path root;

  public DataDirectory(Path root) {
    this.root = root;
  }

  /**
   * Where data is kept: the folder asked for, else {@value #VARIABLE}, else {@code grapevine} in
   * the user's cache folder.
   */
  public static Path locate(@Nullable Path asked, Map<String, String> environment, Path home) {
    if (asked != null) {
      return asked.toAbsolutePath().normalize();
    }
    String variable = environment.getOrDefault(VARIABLE, "");
    if (!variable.isBlank()) {
      return Path.of(variable).toAbsolutePath().normalize();
    }
    String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path caches = cache.isBlank() ? home.resolve(".cache") : Path.of(cache);
    return caches.resolve("grapevine").toAbsolutePath().normalize();
  }

  /** The folder in force when nobody asks for another. */
  public static Path locate() {
    return locate(null, System.getenv(), Path.of(System.getProperty("user.home", ".")));
  }

  /** The folder of a set, whether it exists or not. */
  public Path of(String set) {
    return root.resolve(set);
  }

  /** Files that are half there and worth keeping, such as a download that was cut off. */
  public Path unfinished(String name) {
    return root.resolve("unfinished").resolve(name);
  }

  /** Puts the files of a set into an empty folder. */
  @FunctionalInterface
  public interface Assembly {
    void into(Path folder) throws IOException;
  }

  /**
   * Installs a set unless {@code present} says, under the lock, that another process has done so.
   * When the assembly fails nothing of it stays behind.
   */
  public void install(String set, BooleanSupplier present, Assembly assembly) {
    ONE_THREAD.lock();
    try {
      Files.createDirectories(root);
      Path lockFile = root.resolve("." + set + ".lock");
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (lock.isValid() && !present.getAsBoolean()) {
          removeLeftovers(set);
          assemble(set, assembly);
        }
      }
    } catch (IOException failure) {
      throw new UserException(
          "cannot install %s: folder=%s (%s); check space and rights, or choose another folder with --data-dir or %s"
              .formatted(set, root, failure, VARIABLE),
          failure);
    } finally {
      ONE_THREAD.unlock();
    }
  }

  private void assemble(String set, Assembly assembly) throws IOException {
    // Not createTempDirectory, whose folders other users of a shared cache could not read.
    Path temporary =
        Files.createDirectory(root.resolve(temporaryPrefix(set) + ProcessHandle.current().pid()));
    try {
      assembly.into(temporary);
      Path target = of(set);
      if (Files.exists(target)) {
        // Incomplete, or present() would have said so; what a user put there stays.
        moveFiles(temporary, target);
      } else {
        move(temporary, target);
      }
    } finally {
      deleteTree(temporary);
    }
  }

  private static void moveFiles(Path from, Path to) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        move(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException unusual) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Temporary folders of processes that died; the lock says that nobody works on them. */
  private void removeLeftovers(String set) throws IOException {
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(root, temporaryPrefix(set) + "*")) {
      for (Path leftover : leftovers) {
        deleteTree(leftover);
      }
    }
  }

  private static String temporaryPrefix(String set) {
    return "." + set + "-being-made-";
  }

  /** Deletes a folder and all that is in it; does nothing when it is not there. */
  public static void deleteTree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
