package dev.grapevine.sharing.partial;

import dev.grapevine.compression.transform.Fourier;
import dev.grapevine.compression.transform.Wavelet;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.SharingContext;
import java.util.Optional;

/** From settings to pieces, with what the settings must fulfil. */
final class Building {

  // Holds nothing but the tables for one length; all nodes of a process share them.
  private static final Fourier FOURIER = new Fourier();

  private Building() {}

  static void version(int version) {
    SettingException.require(
        version == 1 || version == 2, "version", "version must be 1 or 2: version=" + version);
  }

  static void alphaLow(double alphaLow) {
    SettingException.require(
        alphaLow >= 0 && alphaLow < 1,
        "alpha-low",
        "alpha-low must be in [0, 1): alpha-low=" + alphaLow);
  }

  /** Refuses a wavelet or level that no model could have. */
  static void wavelet(String wavelet, Optional<Integer> level) {
    var unused = new Wavelet.Settings(wavelet, level);
  }

  static Domain wavelet(String wavelet, Optional<Integer> level, SharingContext context) {
    Wavelet transform = new Wavelet(new Wavelet.Settings(wavelet, level));
    return new Domain.Coefficients(transform, transform.size(context.parameters().length));
  }

  static Domain fourier(SharingContext context) {
    return new Domain.Coefficients(FOURIER, FOURIER.size(context.parameters().length));
  }

  static Gauge accumulation(int version, Domain domain, SharingContext context) {
    float[] initial = PartialSharing.coordinates(domain, context.parameters());
    return version == 1 ? new AccumulatedTraining(initial) : new AccumulatedChange(initial);
  }

  /** Builds what needs no context. */
  @SuppressWarnings("NullAway") // Void has no other value
  static <T> T create(Choice<Void, T> choice) {
    return choice.create(null);
  }
}
