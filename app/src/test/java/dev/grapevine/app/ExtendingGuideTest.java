package dev.grapevine.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.data.DataContext;
import dev.grapevine.engine.ModelBuilder;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.node.Node;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.TopologyContext;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guide for own parts names everything that these can use. */
class ExtendingGuideTest {

  private static String guide() throws IOException {
    Path root = Path.of(System.getProperty("user.dir")).getParent();
    return Files.readString(root.resolve("docs/extending.md"));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        SharingContext.class,
        ProtocolContext.class,
        TopologyContext.class,
        DataContext.class,
        ModelContext.class
      })
  void listsTheMembersOfContexts(Class<?> context) throws IOException {
    String row =
        guide()
            .lines()
            .filter(line -> line.startsWith("| `%s` |".formatted(context.getSimpleName())))
            .findFirst()
            .orElseThrow();
    for (RecordComponent component : context.getRecordComponents()) {
      assertThat(row).contains("`" + component.getName() + "`");
    }
  }

  @Test
  void listsWhatANodeCanDoAndTheLayersOfAModel() throws IOException {
    String guide = guide();
    for (Class<?> type : new Class<?>[] {Node.class, ModelBuilder.class}) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
          assertThat(guide).contains("`" + method.getName() + "`");
        }
      }
    }
  }
}
