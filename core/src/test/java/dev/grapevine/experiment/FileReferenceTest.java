package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.settings.Registry;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class FileReferenceTest {

  @Test
  void thePageIsWhatTheCodeSays() throws Exception {
    assertThat(Files.readString(Examples.root().resolve("docs/experiment-file.md")))
        .as("stale; write it anew: ./grapevine list --markdown > docs/experiment-file.md")
        .isEqualTo(FileReference.markdown(Registry.load()));
  }

  @Test
  void everySettingIsDocumented() {
    Registry registry = Registry.load();
    for (var family : registry.families()) {
      for (var kind : registry.kinds(family)) {
        assertThat(kind.summary()).as(kind.toString()).isNotBlank();
        for (var setting : kind.settings()) {
          assertThat(setting.doc()).as(kind + " " + setting.key()).isNotBlank();
        }
      }
    }
  }
}
