package dev.grapevine.benchmarks.engine;

import dev.grapevine.benchmarks.measure.Median;
import java.util.Optional;

/**
 * One case in a JVM of its own; prints steps per second and PyTorch's, or 0 where there is none.
 * What the compiler makes of a kernel is settled anew in every JVM, and a cliff that one launch in
 * ten falls off shows only over several.
 */
final class Launch {

  private static final int SLICES = 3;

  private Launch() {}

  public static void main(String[] arguments) {
    Case subject = new Case(arguments[0], Integer.parseInt(arguments[1]), 0);
    double seconds = Double.parseDouble(arguments[2]);
    Grapevine grapevine = new Grapevine();
    Optional<Torch> torch = Torch.find();
    try {
      grapevine.warmUp(subject, Contender.Work.TRAIN, seconds);
      double[] ours = new double[SLICES];
      double[] theirs = new double[SLICES];
      for (int i = 0; i < SLICES; i++) {
        ours[i] = grapevine.measure(subject, Contender.Work.TRAIN, seconds / SLICES);
        if (torch.isPresent()) {
          theirs[i] = torch.orElseThrow().measure(subject, Contender.Work.TRAIN, seconds / SLICES);
        }
      }
      System.out.println(Median.of(ours) + " " + Median.of(theirs));
    } finally {
      torch.ifPresent(Torch::close);
    }
  }
}
