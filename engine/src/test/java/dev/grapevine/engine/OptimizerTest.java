package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizerTest {

  private static final int SIZE = 37;
  private static final Fixture FIXTURE = Fixture.read("optimizers.safetensors");

  static Stream<Arguments> optimizers() {
    return Stream.of(
        Arguments.of("sgd", new Sgd()),
        Arguments.of("sgd-decay", new Sgd(0, false, 0.05)),
        Arguments.of("sgd-momentum", new Sgd(0.9, false, 0.01)),
        Arguments.of("sgd-nesterov", new Sgd(0.8, true, 0.01)),
        Arguments.of("adam", new Adam()),
        Arguments.of("adam-decay", new Adam(0.8, 0.99, 1e-6, 0.1)),
        Arguments.of("adamw", new AdamW()),
        Arguments.of("adamw-decay", new AdamW(0.8, 0.99, 1e-6, 0.3)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void followsPyTorchStepByStep(String name, Optimizer optimizer) {
    float[] expected = FIXTURE.get(name);
    float[] parameters = Arrays.copyOf(Formula.signed(1, 0, SIZE), SIZE + 1);
    float[] state = new float[optimizer.stateSize(SIZE)];
    for (int step = 0; step < expected.length / SIZE; step++) {
      float[] gradient = Arrays.copyOf(Formula.signed(10 + step, 0, SIZE), SIZE + 1);
      gradient[SIZE] = 1;
      optimizer.step(parameters, gradient, SIZE, state, step, 0.1);
      float[] wanted = Arrays.copyOfRange(expected, step * SIZE, (step + 1) * SIZE);
      assertThat(Fixture.error(Arrays.copyOf(parameters, SIZE), wanted)).isLessThan(2e-6);
    }
    assertThat(parameters[SIZE]).as("beyond the trainable prefix").isZero();
  }

  @Test
  void refusesStateThatIsTooShort() {
    assertThatThrownBy(() -> new Adam().step(new float[4], new float[4], 4, new float[7], 0, 0.1))
        .hasMessageContaining("length=7, needed=8");
    assertThatThrownBy(() -> new Sgd().step(new float[4], new float[3], 4, new float[0], 0, 0.1))
        .hasMessageContaining("gradient=3");
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatThrownBy(() -> new Sgd(1, false, 0)).hasMessageContaining("momentum=1.0");
    assertThatThrownBy(() -> new Sgd(0, true, 0)).hasMessageContaining("nesterov");
    assertThatThrownBy(() -> new Adam(0.9, Double.NaN, 1e-8, 0)).hasMessageContaining("beta2=NaN");
    assertThatThrownBy(() -> new AdamW(0.9, 0.9, 1e-8, -1)).hasMessageContaining("weightDecay");
  }

  static Stream<Arguments> schedules() {
    return Stream.of(
        Arguments.of("step", new RateSchedule.Step(3, 0.5)),
        Arguments.of("exponential", new RateSchedule.Exponential(0.9)),
        Arguments.of("cosine", new RateSchedule.Cosine(10, 0.1)),
        Arguments.of("warm-up", new RateSchedule.WarmUp(4, 0.25, new RateSchedule.Constant())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("schedules")
  void schedulesFollowPyTorch(String name, RateSchedule schedule) {
    float[] expected = FIXTURE.get(name);
    float[] actual = new float[expected.length];
    for (int step = 0; step < actual.length; step++) {
      actual[step] = (float) schedule.factor(step);
    }
    assertThat(Fixture.error(actual, expected)).isLessThan(1e-6);
  }

  @Test
  void schedulesComposeAndEnd() {
    RateSchedule schedule = new RateSchedule.WarmUp(2, 0, new RateSchedule.Cosine(4, 0.2));
    assertThat(schedule.factor(0)).isZero();
    assertThat(schedule.factor(2)).isEqualTo(1);
    assertThat(schedule.factor(6)).isEqualTo(0.2);
    assertThat(schedule.factor(1_000_000)).isEqualTo(0.2);
  }

  static Stream<Arguments> clippings() {
    return Stream.of(
        Arguments.of("clip-norm", new GradientClipping.ByNorm(1.5)),
        Arguments.of("clip-norm-loose", new GradientClipping.ByNorm(100)),
        Arguments.of("clip-value", new GradientClipping.ByValue(0.3)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clippings")
  void clippingFollowsPyTorch(String name, GradientClipping clipping) {
    float[] gradient = Arrays.copyOf(Formula.signed(10, 0, SIZE), SIZE + 1);
    gradient[SIZE] = 1000;
    clipping.apply(gradient, SIZE);
    assertThat(Fixture.error(Arrays.copyOf(gradient, SIZE), FIXTURE.get(name))).isLessThan(1e-6);
    assertThat(gradient[SIZE]).as("beyond the trainable prefix").isEqualTo(1000);
  }
}
