package dev.grapevine.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.random.SplitMix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;

class LeafReaderTest {

  private static final String GOOD =
      """
      {"users": ["a", "b"], "num_samples": [2, 1], "hierarchies": [{"x": [1]}],
       "user_data": {"a": {"x": [[1, 2], [3]], "y": [0, 1]}, "b": {"y": [2], "x": [[4]]}}}
      """;

  @TempDir Path folder;

  @Test
  void handsOverUsersInputsAndTargetsInTheFilesOrder() throws IOException {
    assertThat(events(GOOD)).containsExactly("a", "x", "x", "y", "y", "end", "b", "y", "x", "end");
  }

  @Test
  void takesTheKeysInAnyOrderAndWithoutTheLists() throws IOException {
    assertThat(
            events(
                """
                {"user_data": {"u": {"y": [1], "z": {}, "x": [[1]]}},
                 "num_samples": [1], "users": ["u"]}
                """))
        .containsExactly("u", "y", "x", "end");
    assertThat(events("{\"user_data\": {}}")).isEmpty();
  }

  @Test
  void saysWhereTheFileIsWrong() {
    assertWrong(GOOD.substring(0, 120), "f.json:");
    assertWrong("", "f.json:");
    assertWrong("[]", "expected START_OBJECT");
    assertWrong("{\"users\": [\"a\"]}", "no user_data");
    assertWrong("{\"user_data\": {\"a\": {\"x\": [1], \"y\": []}}}", "user=a, x=1, y=0");
    assertWrong("{\"user_data\": {\"a\": {\"x\": 1}}}", "expected START_ARRAY");
    assertWrong(GOOD.replace("[2, 1]", "[2, 2]"), "user b has 1 samples, but num_samples says 2");
    assertWrong(GOOD.replace("[2, 1]", "[2]"), "users=2 does not fit num_samples=1");
    assertWrong(GOOD.replace("\"b\": {", "\"a\": {"), "comes twice");
  }

  @Test
  void mutatedFilesAreReadOrRefused() throws IOException {
    SplitMix random = new SplitMix(77);
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int trial = 0; trial < 2_000; trial++) {
      try {
        events(Mutations.of(good, random));
      } catch (UserException expected) {
        assertThat(expected).hasMessageContaining("f.json");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(800);
  }

  private void assertWrong(String content, String message) {
    assertThatThrownBy(() -> events(content))
        .as(content)
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }

  private List<String> events(String content) throws IOException {
    return events(content.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> events(byte[] content) throws IOException {
    List<String> events = new ArrayList<>();
    Path file = Files.write(folder.resolve("f.json"), content);
    LeafReader.read(
        file,
        new LeafReader.Sink() {
          @Override
          public void user(String name) {
            events.add(name);
          }

          @Override
          public void input(JsonParser parser) {
            parser.skipChildren();
            events.add("x");
          }

          @Override
          public void target(JsonParser parser) {
            parser.skipChildren();
            events.add("y");
          }

          @Override
          public void end() {
            events.add("end");
          }
        });
    return events;
  }
}
