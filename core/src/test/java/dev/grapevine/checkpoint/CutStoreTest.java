package dev.grapevine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.Cuts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
    store.begin(rounds);
    Written file = store.write(rounds, 0, ByteBuffer.wrap(CONTENT), sum.getValue(), false);
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
    CutStore store = new CutStore(folder, 2);
    CutFile older = begun(store, 50);
    CutFile newer = begun(store, 55);
    store.complete(newer);
    store.complete(older);
    store.end();
    assertThat(CutFolders.all(folder)).containsOnlyKeys(55);
    assertThat(CutFolders.allOpen(folder)).isEmpty();
  }
}
