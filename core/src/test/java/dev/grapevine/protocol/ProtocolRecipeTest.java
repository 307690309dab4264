package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.settings.KindDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recipe of a protocol beside its {@link Entry}: words about it, here and in the guide. */
final class ProtocolRecipeTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("user.dir")).getParent().resolve("docs/protocols.md");

  static Stream<KindDescription<?, ?>> kinds() {
    return Entry.REGISTRY.kinds(Protocol.FAMILY).stream().map(kind -> kind);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void hasADocumentationEntry(KindDescription<?, ?> kind) throws IOException {
    String guide = Files.readString(GUIDE) + "\n## ";
    int from = guide.indexOf("\n## `" + kind.name() + "`\n");
    assertThat(from).as("docs/protocols.md has a section for %s", kind.name()).isNotNegative();
    String section = guide.substring(from + 4, guide.indexOf("\n## ", from + 4));
    assertThat(section).contains("```", "Settings:", "Messages:", "Sharing:");
    kind.settings().forEach(setting -> assertThat(section).contains("`" + setting.key() + "`"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void describesItself(KindDescription<?, ?> kind) {
    assertThat(kind.summary()).isNotBlank();
    if (!kind.name().equals("no-communication")) {
      assertThat(kind.paper()).as("paper of %s", kind.name()).isNotBlank();
    }
  }
}
