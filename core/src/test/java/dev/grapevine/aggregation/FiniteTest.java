package dev.grapevine.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.MalformedPayloadException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiniteTest {

  private static final int SIZE = 5000;

  @ParameterizedTest
  @ValueSource(
      floats = {
        0f,
        -0f,
        1f,
        -1f,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        -Float.MAX_VALUE
      })
  void everyNumberIsFinite(float number) {
    float[] values = new float[SIZE];
    Arrays.fill(values, number);
    assertThat(Finite.all(values, 0, SIZE)).isTrue();
    assertThat(Update.ofBytes(Update.payload(values), SIZE).isFinite()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void oneThatIsNoneIsFoundWhereverItIs(float none) {
    for (int at : new int[] {0, 1, 7, 2047, 2048, 2049, 4095, 4096, SIZE - 1}) {
      float[] values = new float[SIZE];
      values[at] = none;
      assertThat(Finite.all(values, 0, SIZE)).as("at %d", at).isFalse();
      assertThat(Finite.all(values, 0, at)).as("before %d", at).isTrue();
      assertThat(Finite.all(values, at + 1, SIZE)).as("after %d", at).isTrue();
      assertThat(Update.ofBytes(Update.payload(values), SIZE).isFinite()).isFalse();
      assertThat(Update.ofVector(values, 0, SIZE).isFinite()).isFalse();
      assertThat(new Update.Sparse(new int[SIZE], values, at, at + 1).isFinite()).isFalse();
    }
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    Update update = Update.ofVector(new float[] {1, Float.NaN}, 0, 2);
    assertThatThrownBy(update::requireFinite)
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessageContaining("not finite");
    assertThat(Update.NOTHING.requireFinite()).isSameAs(Update.NOTHING);
  }
}
