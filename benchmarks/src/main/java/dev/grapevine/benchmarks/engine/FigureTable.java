package dev.grapevine.benchmarks.engine;

import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints {@link Figures} for people. */
final class FigureTable {

  private final PrintWriter out;

  FigureTable(PrintWriter out) {
    this.out = out;
  }

  void print(Figures figures) {
    line(
        "kernels %s, peak of one thread %.1f GFLOP/s, torch %s",
        figures.kernels(),
        figures.peakGflops(),
        figures.torch() == null ? "not measured" : figures.torch());
    line("");
    line(
        "%-17s %5s | %9s %9s %7s %6s %6s | %9s %9s | %10s %7s",
        "model",
        "batch",
        "train/s",
        "torch",
        "ratio",
        "want",
        "peak",
        "images/s",
        "torch",
        figures.threads() + " threads",
        "scaling");
    for (Figures.Line f : figures.lines()) {
      line(
          "%-17s %5d | %9.2f %9s %7s %6.2f %5.0f%% | %9.0f %9s | %10.2f %6.2fx",
          f.model(),
          f.batch(),
          f.steps(),
          text("%.2f", f.torchSteps()),
          text("%.2fx", f.ratio()),
          f.target(),
          100 * f.peakShare(),
          f.images(),
          text("%.0f", f.torchImages()),
          f.stepsAllCores(),
          f.scaling());
    }
    line("");
    line("first training step %d ms after the start of the JVM", figures.firstStepMillis());
    line("1024 GN-LeNet vectors and two workspaces: %d MB resident", figures.residentMegabytes());
  }

  private static String text(String format, @Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
