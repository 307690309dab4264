package dev.grapevine.sharing.difference;

import dev.grapevine.settings.SettingException;
import java.util.Locale;

/** What the schemes that begin with equal replicas ask of their compressor. */
final class SameStart {

  private SameStart() {}

  static Compressor requireUnbiased(Compressor compressor, String scheme, String chosen) {
    SettingException.require(
        compressor.unbiased(),
        "compressor",
        ("%s needs an unbiased compressor: compressor=%s; take qsgd, or random with rescale = true")
            .formatted(scheme, chosen));
    return compressor;
  }

  /**
   * For models that equal their replicas: noise larger than what is sent comes back with growth.
   */
  static Compressor requireLittleNoise(Compressor compressor, String scheme, String key) {
    double variance = compressor.usualVariance();
    SettingException.require(
        variance < 1,
        key,
        String.format(
            Locale.ROOT,
            "%s diverges when compression adds more noise than there is signal: noise=%.1f times the"
                + " signal; take qsgd with more bits, a smaller bucket or norm = \"max\", random with"
                + " alpha above 0.5, or choco",
            scheme,
            variance));
    return compressor;
  }
}
