package dev.grapevine.engine.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link Chain} at work: owns the activations between its layers. Neighbouring layers with images
 * of like size run together over a few samples at a time, so that the one finds in the cache what
 * the other has written.
 */
final class ChainPass implements Pass {

  /** Values that fit well in a second-level cache: a layer's input and output of one tile. */
  private static final int TILE_VALUES = 1 << 16;

  private static final int WHOLE_BATCH = Integer.MAX_VALUE;

  private final List<Pass> passes = new ArrayList<>();
  private final List<Stretch> stretches = new ArrayList<>();
  private final List<Fleeting> fleeting = new ArrayList<>();

  /** Neighbouring passes that take so many samples at a time. */
  private record Stretch(int samples, List<Pass> passes) {}

  /** Values within a stretch, of which only so many samples are kept if there is no way back. */
  private record Fleeting(Plane value, int samples) {}

  ChainPass(Chain chain, Binding binding) {
    List<Chain.Named> links = chain.links();
    Activation current = binding.input();
    int parameter = 0;
    int statistic = 0;
    for (int i = 0; i < links.size(); i++) {
      Layer layer = links.get(i).layer();
      Activation next =
          i + 1 == links.size()
              ? binding.output()
              : between(layer, links.get(i + 1).layer(), binding.capacity());
      int parameters = layer.parameters().size();
      int statistics = layer.statistics().size();
      passes.add(
          layer.pass(
              new Binding(
                  binding.name().isEmpty()
                      ? links.get(i).name()
                      : binding.name() + "." + links.get(i).name(),
                  binding.capacity(),
                  current,
                  next,
                  Arrays.copyOfRange(binding.parameterOffsets(), parameter, parameter + parameters),
                  Arrays.copyOfRange(
                      binding.statisticsOffsets(), statistic, statistic + statistics),
                  binding.kernels(),
                  binding.scratch())));
      addToStretch(samplesAtOnce(layer), passes.getLast());
      parameter += parameters;
      statistic += statistics;
      current = next;
    }
  }

  /**
   * Within a stretch a gradient is of no more use when its few samples have passed. The next ones
   * take its place, which then stays in the cache.
   */
  private Activation between(Layer before, Layer after, int capacity) {
    Plane value = new Plane(before.output(), after.inputMargin(), capacity);
    int margin = before.gradientMargin();
    int samples = samplesAtOnce(before);
    boolean sameStretch = samples == samplesAtOnce(after) && samples < capacity;
    if (!sameStretch || after.writesAhead() || !(before.output() instanceof Shape.Image)) {
      return new Activation(value, new Plane(before.output(), margin, capacity));
    }
    fleeting.add(new Fleeting(value, samples));
    return new Activation(value, Plane.ofNeighbours(before.output(), margin, samples));
  }

  @Override
  public void prepare(Step step) {
    for (Fleeting few : fleeting) {
      if (step.training()) {
        few.value().keepAll();
      } else {
        few.value().keep(few.samples());
      }
    }
    for (Pass pass : passes) {
      pass.prepare(step);
    }
  }

  private static int samplesAtOnce(Layer layer) {
    if (layer.needsWholeBatch()) {
      return WHOLE_BATCH;
    }
    int larger = Math.max(layer.input().size(), layer.output().size());
    return Integer.highestOneBit(Math.max(1, TILE_VALUES / larger));
  }

  private void addToStretch(int samples, Pass pass) {
    if (stretches.isEmpty() || stretches.getLast().samples() != samples) {
      stretches.add(new Stretch(samples, new ArrayList<>()));
    }
    stretches.getLast().passes().add(pass);
  }

  @Override
  public void forward(Step step, int from, int to) {
    for (Stretch stretch : stretches) {
      for (int n = from; n < to; ) {
        int end = to - n > stretch.samples() ? n + stretch.samples() : to;
        for (Pass pass : stretch.passes()) {
          pass.forward(step, n, end);
        }
        n = end;
      }
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    for (Stretch stretch : stretches.reversed()) {
      for (int n = from; n < to; ) {
        int end = to - n > stretch.samples() ? n + stretch.samples() : to;
        for (Pass pass : stretch.passes().reversed()) {
          pass.backward(step, n, end);
        }
        n = end;
      }
    }
  }

  @Override
  public void finish(Step step) {
    for (Pass pass : passes) {
      pass.finish(step);
    }
  }
}
