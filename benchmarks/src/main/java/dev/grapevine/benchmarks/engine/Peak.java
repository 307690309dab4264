package dev.grapevine.benchmarks.engine;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Rows;
import java.lang.management.ManagementFactory;

/** The multiply-add peak: one block of rows times one panel, all in the first-level cache. */
final class Peak {

  private static final int DEPTH = 256;
  private static final int PRODUCTS = 20_000;

  private Peak() {}

  /** 10^9 floating-point operations per second of this thread. */
  static double gflops() {
    Kernels kernels = Kernels.best();
    int panel = kernels.panel();
    float[] a = new float[Rows.BLOCK * DEPTH];
    float[] b = new float[panel * DEPTH];
    float[] c = new float[Rows.BLOCK * panel];
    int[] aRows = Rows.evenly(Rows.BLOCK, DEPTH);
    int[] cRows = Rows.evenly(Rows.BLOCK, panel);
    float[] tile = new float[kernels.tile()];
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < PRODUCTS; i++) {
      kernels.rows(
          a, aRows, 0, 0, b, 0, DEPTH, c, cRows, 0, 0, Rows.BLOCK, panel, true, null, 0, tile);
    }
    long elapsed = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
    return 2.0 * PRODUCTS * DEPTH * Rows.BLOCK * panel / elapsed;
  }
}
