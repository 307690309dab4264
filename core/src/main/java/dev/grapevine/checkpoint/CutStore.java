package dev.grapevine.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the cuts of a run lie. A cut is written into a folder that is called {@code .partial} and
 * gets its name when it is whole. Files of the oldest are written over rather than deleted, which
 * saves the system from finding new room for them: two thirds of what a file costs.
 *
 * <p>The workers of a run write into the same folder, each its own nodes; one process completes. A
 * cut is begun by any thread, everything else is done by one.
 */
final class CutStore {

  /**
   * Up to this many bytes as many folders wait to be written over as were ever needed at once.
   * Files of larger cuts are rather deleted: what lies in so many of them would be more than the
   * system keeps in memory.
   */
  private static final long SMALL = 512L << 20;

  private final Path folder;
  private final int keep;
  private final boolean isShared;
  private final DiskSync disk;

  /** After how many rounds the newest cut is that was completed here. */
  private int newest = -1;

  /**
   * @param keep how many of the newest cuts stay
   * @param isShared whether other processes write what this one completes
   */
  CutStore(Path folder, int keep, boolean isShared) {
    this.folder = folder;
    this.keep = keep;
    this.isShared = isShared;
    disk =
        new DiskSync(
            folder,
            CutFolders.all(folder).entrySet().stream()
                .filter(cut -> CutFolders.isComplete(cut.getValue()))
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElse(-1));
  }

  Path folder() {
    return folder;
  }

  /** Makes a place for a cut: that of one that is not needed any more, if there is one. */
  Path begin(int rounds) throws IOException {
    Path begun = CutFolders.open(folder, rounds);
    for (Path spare : CutFolders.spares(folder)) {
      try {
        Files.move(spare, begun, StandardCopyOption.ATOMIC_MOVE);
        return begun;
      } catch (FileSystemException none) {
        // There is none there, or another worker has begun this cut.
        continue;
      }
    }
    return Files.createDirectories(begun);
  }

  /** All files of a cut are there: makes it one that can be gone on from. */
  void complete(CutFile cut) throws IOException {
    Path whole = CutFolders.open(folder, cut.rounds());
    if (cut.rounds() < newest) {
      // Figures of later rounds were all there first, and what there was of this one is gone.
      CutFolders.delete(whole);
      return;
    }
    if (cut.files().isEmpty()) {
      Files.createDirectories(whole);
    }
    if (isShared) {
      check(whole, cut.files());
    }
    if (!cut.ended().isEmpty()) {
      tidy(whole, cut.files().keySet());
    }
    try (Overwriting out = new Overwriting(whole.resolve(CutFile.NAME))) {
      out.take(ByteBuffer.wrap(cut.toJson().getBytes(StandardCharsets.UTF_8)));
    }
    if (!cut.isPlanned()) {
      DiskSync.sync(whole);
    }
    Path target = CutFolders.of(folder, cut.rounds());
    CutFolders.delete(target);
    Files.move(whole, target, StandardCopyOption.ATOMIC_MOVE);
    newest = cut.rounds();
    if (cut.isPlanned()) {
      disk.whole(cut.rounds());
    } else {
      // Somebody wants the run to end, and may want the machine to.
      DiskSync.syncList(folder);
      disk.synced(cut.rounds());
    }
    long bytes = cut.files().values().stream().mapToLong(Written::bytes).sum();
    prune(
        cut.rounds(),
        bytes <= SMALL ? CutFolders.spares(folder) : CutFolders.spares(folder).subList(0, 1));
  }

  /** Deletes what nodes that have ended since have left in a folder that is written over. */
  private static void tidy(Path open, Set<Integer> nodes) throws IOException {
    Set<String> names = nodes.stream().map(NodeFile::name).collect(Collectors.toUnmodifiableSet());
    for (Path file : CutFolders.files(open)) {
      String name = file.getFileName().toString();
      if (!names.contains(name) && !name.equals(CutFile.NAME)) {
        Files.delete(file);
      }
    }
  }

  /** Looks whether what other processes say they have written is there. */
  private static void check(Path open, Map<Integer, Written> files) throws IOException {
    for (Map.Entry<Integer, Written> each : files.entrySet()) {
      Path file = open.resolve(NodeFile.name(each.getKey()));
      if (bytesOf(file) != each.getValue().bytes()) {
        throw new IOException(
            "%s is not there as it was written; the folder must be seen by all workers"
                .formatted(file.getFileName()));
      }
    }
  }

  private static long bytesOf(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException missing) {
      return -1;
    }
  }

  /** Retires what is older than the cuts that are kept, and what is left of older attempts. */
  private void prune(int newest, List<Path> spares) throws IOException {
    int complete = 0;
    for (Map.Entry<Integer, Path> cut : CutFolders.all(folder).entrySet()) {
      if (cut.getKey() > newest) {
        continue;
      }
      if (!CutFolders.isComplete(cut.getValue())) {
        CutFolders.delete(cut.getValue());
        continue;
      }
      complete++;
      if (complete > keep && !disk.needs(cut.getKey())) {
        retire(cut.getValue(), spares);
      }
    }
    for (Map.Entry<Integer, Path> left : CutFolders.allOpen(folder).entrySet()) {
      if (left.getKey() < newest) {
        CutFolders.delete(left.getValue());
      }
    }
  }

  private void retire(Path cut, List<Path> spares) throws IOException {
    for (Path spare : spares) {
      if (!Files.exists(spare)) {
        Files.move(cut, spare, StandardCopyOption.ATOMIC_MOVE);
        return;
      }
    }
    CutFolders.delete(cut);
  }

  /** Gives up a cut that cannot be written. */
  void drop(int rounds) {
    try {
      CutFolders.delete(CutFolders.open(folder, rounds));
    } catch (IOException left) {
      // Without its last file it is no cut, whatever is left of it.
      return;
    }
  }

  /** No cut comes any more: leaves only those that are whole. */
  void end() {
    disk.end();
    try {
      for (Path spare : CutFolders.spares(folder)) {
        CutFolders.delete(spare);
      }
      for (Path left : CutFolders.allOpen(folder).values()) {
        CutFolders.delete(left);
      }
    } catch (IOException left) {
      // It takes room and does no harm.
      return;
    }
  }
}
