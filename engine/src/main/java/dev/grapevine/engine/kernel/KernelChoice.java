package dev.grapevine.engine.kernel;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;

/**
 * The one place that chooses. The system property {@code grapevine.kernels} overrules: {@code
 * scalar}, or a vector width of {@code 128}, {@code 256} or {@code 512} bits.
 */
final class KernelChoice {

  static final String PROPERTY = "grapevine.kernels";

  private static final String MODULE = "jdk.incubator.vector";

  static final Kernels BEST = choose(System.getProperty(PROPERTY, "auto"));

  private KernelChoice() {}

  private static Kernels choose(String wish) {
    Logger log = System.getLogger(KernelChoice.class.getPackageName());
    if (wish.toLowerCase(Locale.ROOT).equals("scalar")) {
      return new ScalarKernels();
    }
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      log.log(
          Level.WARNING,
          "training runs on scalar kernels, about ten times slower; "
              + "pass --add-modules {0} to java to use vector instructions",
          MODULE);
      return new ScalarKernels();
    }
    Kernels kernels = new VectorKernels();
    log.log(Level.DEBUG, "kernels: {0}", kernels.name());
    return kernels;
  }
}
