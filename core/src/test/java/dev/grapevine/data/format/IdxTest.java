package dev.grapevine.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.random.SplitMix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class IdxTest {

  @Test
  void readsExtentsAndFindsSamples() {
    Idx idx = Idx.parse(file(0x803, 2, 2, 3), "f", 3);
    assertThat(idx.extents()).containsExactly(2, 2, 3);
    assertThat(idx.content()[idx.offset(0)]).isEqualTo((byte) 0);
    assertThat(idx.content()[idx.offset(1)]).isEqualTo((byte) 6);
  }

  @Test
  void saysWhichFileIsDamagedAndWhere() {
    assertDamaged(new byte[3], "f: damaged at byte 3: the file ends within its header");
    assertDamaged(file(0x801, 2, 2, 3), "magic=0x00000801, expected=0x00000803");
    byte[] cut = Arrays.copyOf(file(0x803, 2, 2, 3), 20);
    assertDamaged(cut, "f: damaged at byte 20: the length does not fit the header [2, 2, 3]");
    assertDamaged(Arrays.copyOf(file(0x803, 2, 2, 3), 29), "bytes=13, expected=12");
    assertDamaged(header(0x803, 0, 2, 3), "extent=0");
    assertDamaged(header(0x803, 2, -1, 3), "extent=-1");
    assertDamaged(header(0x803, 0x7fffffff, 0x7fffffff, 0x7fffffff), "does not fit the header");
  }

  /** Whatever is done to a file, it is read whole or refused with a message, never worse. */
  @Test
  void mutatedFilesAreReadOrRefused() {
    SplitMix random = new SplitMix(2024);
    byte[] good = file(0x803, 4, 3, 5);
    int refused = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      byte[] mutated = Mutations.of(good, random);
      try {
        Idx idx = Idx.parse(mutated, "f", 3);
        int last = idx.extents()[0] - 1;
        int size = idx.extents()[1] * idx.extents()[2];
        assertThat(idx.offset(last) + size).isEqualTo(mutated.length);
      } catch (UserException expected) {
        assertThat(expected).hasMessageStartingWith("f: damaged at byte ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(5_000);
  }

  private static void assertDamaged(byte[] content, String message) {
    assertThatThrownBy(() -> Idx.parse(content, "f", 3))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }

  private static byte[] header(int magic, int... extents) {
    ByteBuffer buffer = ByteBuffer.allocate(4 + 4 * extents.length).putInt(magic);
    for (int extent : extents) {
      buffer.putInt(extent);
    }
    return buffer.array();
  }

  private static byte[] file(int magic, int... extents) {
    byte[] header = header(magic, extents);
    int size = Arrays.stream(extents).reduce(1, (a, b) -> a * b);
    byte[] file = Arrays.copyOf(header, header.length + size);
    for (int i = 0; i < size; i++) {
      file[header.length + i] = (byte) i;
    }
    return file;
  }
}
