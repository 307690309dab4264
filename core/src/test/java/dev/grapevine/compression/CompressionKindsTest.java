package dev.grapevine.compression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class CompressionKindsTest {

  @Test
  void everyCodecCanBeChosenByName() {
    assertThat(names(IndexCodec.FAMILY))
        .containsExactly("elias-gamma", "bitmap", "raw", "lz4", "auto");
    assertThat(names(FloatCodec.FAMILY))
        .containsExactly(
            "raw", "float16", "bfloat16", "affine8", "stochastic", "zfp", "fpzip", "lz4", "zstd");
    assertThat(names(Transform.FAMILY)).containsExactly("identity", "wavelet", "fourier");
  }

  private static List<String> names(Family<?, ?> family) {
    return ServiceLoader.load(Catalogue.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(catalogue -> catalogue.family().equals(family))
        .flatMap(catalogue -> catalogue.kinds().stream())
        .peek(kind -> assertThat(family.type()).isAssignableFrom(kind))
        .map(kind -> kind.getAnnotation(Kind.class).name())
        .toList();
  }
}
