package dev.grapevine.engine.layer;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConvPassTest {

  /** Packing again gives the same weights, so that no result would show it: only the code does. */
  @Test
  void weightsArePackedOnce() {
    List<JavaMethodCall> packings =
        new ClassFileImporter()
            .importClasses(ConvPass.class).get(ConvPass.class).getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isEquivalentTo(WeightOrder.class))
                .filter(call -> call.getName().equals("pack"))
                .toList();
    assertThat(packings).hasSize(1);
    assertThat(packings.getFirst().getOrigin().getName()).isEqualTo("prepare");
  }
}
