package dev.grapevine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DiskSyncTest {

  @TempDir Path folder;

  private void cut(int rounds) throws IOException {
    Path cut = Files.createDirectories(CutFolders.of(folder, rounds));
    Files.writeString(cut.resolve(NodeFile.name(0)), "a node");
    Files.writeString(cut.resolve(CutFile.NAME), "{}");
  }

  @Test
  void theNewestOnTheDiskStaysUntilANewerOneIsThere() throws IOException {
    DiskSync disk = new DiskSync(folder, 3, 0);
    cut(5);
    disk.whole(5);
    assertThat(disk.needs(3)).isTrue();
    assertThat(disk.needs(5)).isTrue();
    int next = 6;
    while (disk.needs(3)) {
      cut(next);
      disk.whole(next);
      next++;
    }
    assertThat(disk.needs(5)).isTrue();
    disk.end();
  }

  @Test
  void nothingIsDoneBeforeItIsTime() throws IOException {
    DiskSync disk = new DiskSync(folder, 3, Duration.ofDays(1).toNanos());
    cut(5);
    disk.whole(5);
    assertThat(disk.needs(5)).isFalse();
    disk.synced(5);
    assertThat(disk.needs(5)).isTrue();
    assertThat(disk.needs(3)).isFalse();
    disk.end();
  }

  @Test
  void whatCouldNotBeBroughtThereIsToldWithTheNextCut() throws IOException {
    DiskSync disk = new DiskSync(folder, 3, 0);
    disk.whole(5);
    cut(6);
    assertThatThrownBy(
            () -> {
              while (true) {
                disk.whole(6);
              }
            })
        .isInstanceOf(NoSuchFileException.class);
    assertThat(disk.needs(3)).isTrue();
    disk.end();
  }
}
