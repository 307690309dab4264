package dev.grapevine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "20 ms, 20000000",
    "20ms, 20000000",
    "1.5 s, 1500000000",
    "2 min, 120000000000",
    "0, 0",
    "1_000 us, 1000000",
    "3 h, 10800000000000"
  })
  void durationsAreReadAndWritten(String text, long nanos) {
    Duration duration = Duration.ofNanos(nanos);
    assertThat(Quantity.duration(text)).isEqualTo(duration);
    assertThat(Quantity.duration(Quantity.format(duration))).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource({
    "100 Mbit/s, 1e8, 100 Mbit/s",
    "1 GB/s, 8e9, 8 Gbit/s",
    "1.5 kbit/s, 1500, 1.5 kbit/s"
  })
  void bandwidthsAreReadAndWritten(String text, double bits, String written) {
    assertThat(Bandwidth.parse(text)).isEqualTo(new Bandwidth(bits)).hasToString(written);
  }

  @ParameterizedTest
  @CsvSource({"64 KiB, 65536, 64 KiB", "1000 B, 1000, 1000 B", "1.5 MiB, 1572864, 1.5 MiB"})
  void sizesAreReadAndWritten(String text, long bytes, String written) {
    assertThat(DataSize.parse(text)).isEqualTo(new DataSize(bytes)).hasToString(written);
  }
}
