package dev.grapevine.data.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.TestSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FromFileTest {

  private static final DataSet SET = TestSets.labelled(10, 2, 0, 1);

  @TempDir Path folder;

  @Test
  void readsWhatItWrites() throws IOException {
    int[][] shards = new Shards(new Shards.Settings(2, false)).deal(SET, 3, 1);
    FromFile.write(shards, folder.resolve("deal.json"));
    assertThat(partitioner("deal.json", false).deal(SET, 3, 99)).isDeepEqualTo(shards);
  }

  @Test
  void mayLeaveSamplesOutAndRepeatThemWhenAllowed() throws IOException {
    Files.writeString(folder.resolve("deal.json"), "[[1, 2], [2]]");
    assertThat(partitioner("deal.json", true).deal(SET, 2, 1))
        .isDeepEqualTo(new int[][] {{1, 2}, {2}});
    assertThatThrownBy(() -> partitioner("deal.json", false).deal(SET, 2, 1))
        .hasMessageContaining("deal.json:1:")
        .hasMessageContaining("sample 2 is dealt twice");
  }

  @Test
  void saysWhereTheFileIsWrong() throws IOException {
    assertWrong("[[1, 10], [2]]", "no such sample: 10");
    assertWrong("[[1, -1], [2]]", "no such sample: -1");
    assertWrong("[[1, 2], [2.5]]", "VALUE_NUMBER_FLOAT");
    assertWrong("[[1, 2], [3]", "deal.json:1:");
    assertWrong("[[1, 2], [99999999999]]", "deal.json:1:");
    assertWrong("{\"a\": 1}", "START_OBJECT");
    assertWrong("", "expected an array");
    assertWrong("[[1], []]", "node=1");
    assertWrong("[[1]]", "lists=1, nodes=2");
    assertThatThrownBy(() -> partitioner("absent.json", false).deal(SET, 2, 1))
        .hasMessageContaining("cannot read the file");
  }

  private void assertWrong(String content, String message) throws IOException {
    Files.writeString(folder.resolve("deal.json"), content);
    assertThatThrownBy(() -> partitioner("deal.json", false).deal(SET, 2, 1))
        .as(content)
        .hasMessageContaining(message);
  }

  private FromFile partitioner(String file, boolean repeats) {
    return new FromFile(new FromFile.Settings(file, repeats), TestSets.context(folder));
  }
}
