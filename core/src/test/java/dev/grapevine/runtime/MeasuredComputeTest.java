package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.compute.MeasuredCompute;
import org.junit.jupiter.api.Test;

class MeasuredComputeTest {

  @Test
  void nodesTakeTheirTurnOnFewCores() {
    MeasuredCompute two = new MeasuredCompute(new MeasuredCompute.Settings(1, 2));
    assertThat(two.duration(0, 0, 10, 0)).isEqualTo(10);
    assertThat(two.duration(1, 0, 4, 0)).isEqualTo(4);
    assertThat(two.duration(2, 0, 10, 0)).as("waits for the second core").isEqualTo(14);
    assertThat(two.duration(3, 0, 10, 0)).as("waits for the first").isEqualTo(20);
    assertThat(two.duration(0, 1, 10, 100)).as("by then both are free").isEqualTo(10);
  }

  @Test
  void everyNodeHasACoreOfItsOwnUnlessTold() {
    MeasuredCompute own = new MeasuredCompute(new MeasuredCompute.Settings(3, 0));
    assertThat(own.duration(0, 0, 10, 0)).isEqualTo(30);
    assertThat(own.duration(1, 0, 10, 0)).isEqualTo(30);
  }
}
