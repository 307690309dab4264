package dev.grapevine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.grapevine.runtime.Cuts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutStoreTest {

  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir Path folder;

  private static CutFile begun(CutStore store, int rounds) throws IOException {
    CRC32C sum = new CRC32C();
    sum.update(CONTENT);
    Files.write(store.begin(rounds).resolve(NodeFile.name(0)), CONTENT);
    Written file = Written.of(ByteBuffer.wrap(CONTENT), sum.getValue(), false);
    return new CutFile(
        Identity.of("test", ""),
        rounds,
        true,
        Cuts.Moment.START,
        Map.of(),
        List.of(),
        Map.of(0, file));
  }

  @Test
  void aCutThatANewerOneHasOvertakenIsGivenUp() throws IOException {
    CutStore store = new CutStore(folder, 2, false);
    CutFile older = begun(store, 50);
    CutFile newer = begun(store, 55);
    store.complete(newer);
    store.complete(older);
    store.end();
    assertThat(CutFolders.all(folder)).containsOnlyKeys(55);
    assertThat(CutFolders.allOpen(folder)).isEmpty();
  }

  @Test
  void filesOfCutsThatAreNotNeededAnyMoreAreWrittenOver() throws IOException {
    CutStore store = new CutStore(folder, 1, false);
    store.complete(begun(store, 1));
    Object first = key(1);
    for (int rounds = 2; rounds <= 5; rounds++) {
      store.complete(begun(store, rounds));
    }
    // Every other one: the files of the second wait while those of the first are written over.
    assertThat(key(5)).isEqualTo(first);
    assertThat(CutFolders.spares(folder)).filteredOn(Files::exists).hasSize(1);
    store.end();
    assertThat(CutFolders.spares(folder)).noneMatch(Files::exists);
    assertThat(CutFolders.all(folder)).containsOnlyKeys(5);
  }

  @Test
  void threeFoldersAtMostWaitToBeWrittenOver() throws IOException {
    CutStore store = new CutStore(folder, 5, false);
    for (int rounds = 1; rounds <= 5; rounds++) {
      store.complete(begun(store, rounds));
    }
    // As after a resume with a smaller keep, when all but the newest two go at once.
    CutStore next = new CutStore(folder, 1, false);
    next.complete(begun(next, 6));
    assertThat(CutFolders.spares(folder)).allMatch(Files::exists);
    // What a run finds counts as forced to the disk, so 5 stays; of the other four one is deleted.
    assertThat(CutFolders.all(folder)).containsOnlyKeys(6, 5);
  }

  @Test
  void whatOthersSayTheyHaveWrittenMustBeThere() throws IOException {
    CutStore writes = new CutStore(folder, 2, false);
    CutStore completes = new CutStore(folder, 2, true);
    CutFile cut = begun(writes, 4);
    Files.delete(CutFolders.open(folder, 4).resolve(NodeFile.name(0)));
    assertThatThrownBy(() -> completes.complete(cut))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("node-0.safetensors is not there as it was written");
    completes.complete(begun(writes, 4));
    assertThat(CutFolders.all(folder)).containsOnlyKeys(4);
  }

  /** What tells a file from all others, also after it was moved. */
  private Object key(int rounds) throws IOException {
    Path file = CutFolders.of(folder, rounds).resolve(NodeFile.name(0));
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    assumeThat(key).as("files have keys").isNotNull();
    return key;
  }
}
