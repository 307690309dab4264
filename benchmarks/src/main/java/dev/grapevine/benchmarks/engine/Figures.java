package dev.grapevine.benchmarks.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one run measured.
 *
 * @param kernels which kernels ran
 * @param torch PyTorch's version; null if it was not there
 * @param peakGflops multiply-add peak of one thread, in 10^9 floating-point operations per second
 * @param threads number of threads of the all-cores figures
 * @param firstStepMillis from the start of a fresh JVM to the end of its first training step
 * @param residentMegabytes of 1024 GN-LeNet parameter vectors and two workspaces
 */
record Figures(
    String kernels,
    @Nullable String torch,
    double peakGflops,
    int threads,
    List<Line> lines,
    long firstStepMillis,
    long residentMegabytes) {

  /**
   * One case.
   *
   * @param steps training steps per second, one thread
   * @param torchSteps the same in PyTorch
   * @param ratio of the two
   * @param target the ratio to reach
   * @param peakShare of the multiply-add peak that training reaches
   * @param images forward, samples per second, one thread
   * @param torchImages the same in PyTorch
   * @param stepsAllCores training steps per second, all threads together
   */
  record Line(
      String model,
      int batch,
      double steps,
      @Nullable Double torchSteps,
      @Nullable Double ratio,
      double target,
      double peakShare,
      double images,
      @Nullable Double torchImages,
      double stepsAllCores,
      double scaling) {}
}
