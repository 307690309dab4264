package dev.grapevine.engine.kernel;

import java.util.List;

/** Both kinds of kernels, wherever the tests run. */
public final class KernelsUnderTest {

  private KernelsUnderTest() {}

  public static List<Kernels> all() {
    return List.of(new ScalarKernels(), new VectorKernels());
  }

  public static Kernels named(String name) {
    return all().stream().filter(kernels -> kernels.name().equals(name)).findFirst().orElseThrow();
  }
}
