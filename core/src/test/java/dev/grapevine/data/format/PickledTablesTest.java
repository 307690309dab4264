package dev.grapevine.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pickles made by Python 3: {'vocab': {...}, 'size': 9999, 'unk_symbol': 1, 'pad_symbol': 0}. */
public class PickledTablesTest {

  /** Protocol 2. */
  private static final String OLD =
      "gAJ9cQAoWAUAAAB2b2NhYnEBfXECKFgFAAAAPFBBRD5xA0sAWAMAAAB0aGVxBEsDWAMAAABjYXRxBUsE"
          + "WAIAAADDqXEGTSwBdVgEAAAAc2l6ZXEHTQ8nWAoAAAB1bmtfc3ltYm9scQhLAVgKAAAAcGFkX3N5bWJv"
          + "bHEJSwB1Lg==";

  /** Protocol 4. */
  public static final String NEW =
      "gASVWwAAAAAAAAB9lCiMBXZvY2FilH2UKIwFPFBBRD6USwCMA3RoZZRLA4wDY2F0lEsEjALDqZRNLAF1"
          + "jARzaXpllE0PJ4wKdW5rX3N5bWJvbJRLAYwKcGFkX3N5bWJvbJRLAHUu";

  /** The function print: a pickle that would have code called. */
  private static final String CODE = "gASVFgAAAAAAAACMCGJ1aWx0aW5zlIwFcHJpbnSUk5Qu";

  private static Object read(String base64) {
    return PickledTables.read(Base64.getDecoder().decode(base64));
  }

  @Test
  void tablesComeOutAsPythonPutThemIn() {
    Map<String, Object> wanted =
        Map.of(
            "vocab",
            Map.of("<PAD>", 0L, "the", 3L, "cat", 4L, "é", 300L),
            "size",
            9999L,
            "unk_symbol",
            1L,
            "pad_symbol",
            0L);
    assertThat(read(OLD)).isEqualTo(wanted);
    assertThat(read(NEW)).isEqualTo(wanted);
  }

  @Test
  void nothingElseIsRead() {
    assertThatThrownBy(() -> read(CODE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than tables");
    byte[] whole = Base64.getDecoder().decode(NEW);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> PickledTables.read(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
