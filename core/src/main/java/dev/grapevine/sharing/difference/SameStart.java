package dev.grapevine.sharing.difference;

import dev.grapevine.settings.SettingException;

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
}
