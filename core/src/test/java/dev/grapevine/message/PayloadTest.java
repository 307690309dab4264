package dev.grapevine.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Numbers that are added where they lie. */
final class PayloadTest {

  /** A byte that is no value, then 1, 2 and 3. */
  private static Payload numbers() {
    PayloadWriter out = new PayloadWriter(13);
    out.writeByte(7);
    out.writeFloat(1);
    out.writeFloat(2);
    out.writeFloat(3);
    return out.finish().after(1);
  }

  @Test
  void eachNumberIsAddedAtItsOwnIndex() {
    float[] sum = {10, 20, 30};
    numbers().addFloats(2, sum, 1, 3);
    assertThat(sum).containsExactly(10, 24, 36);
  }

  @Test
  void nothingBehindTheLastIsRead() {
    float[] sum = new float[4];
    assertThatThrownBy(() -> numbers().addFloats(1, sum, 0, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
