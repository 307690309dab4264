package dev.grapevine.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 4, 2",
    "24, 4, 2",
    "88, 8, 56",
    "1024, 125, 875",
    "1000000, 256, 999720",
    "9223372036854775807, 256, 2147483647"
  })
  void mostAreForLinksAndSomeAreLeft(long free, int strangers, int ends) {
    assertThat(Descriptors.of(free)).isEqualTo(new Descriptors(strangers, ends));
  }
}
