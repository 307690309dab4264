package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.ChannelKernels;
import dev.grapevine.engine.kernel.ChannelTerms;
import java.util.Arrays;

/**
 * scale·x + shift per channel, joined with what comes {@link After}, on one sample at a time.
 * Joined because each alone would stream the whole image through the cache once more.
 */
final class AffineStage {

  private final Binding binding;
  private final ChannelKernels kernels;
  private final After after;
  private final int channels;

  AffineStage(Binding binding, After after) {
    this.binding = binding;
    this.kernels = binding.kernels().channels();
    this.after = after;
    this.channels = binding.input().value().channels();
  }

  /** Σ (x − center) and Σ (x − center)² of a sample, with its first pixel as center. */
  void moments(int n, ChannelTerms terms) {
    Plane x = binding.input().value();
    System.arraycopy(x.data(), x.at(n, 0, 0), terms.center(), 0, channels);
    momentsAroundCenter(n, terms);
  }

  void momentsAroundCenter(int n, ChannelTerms terms) {
    Plane x = binding.input().value();
    clearSums(terms);
    for (int row = 0; row < x.height(); row++) {
      kernels.moments(x.data(), x.at(n, row, 0), x.width(), channels, terms);
    }
  }

  private static void clearSums(ChannelTerms terms) {
    Arrays.fill(terms.sum(), 0f);
    Arrays.fill(terms.product(), 0f);
  }

  void forward(int n, ChannelTerms terms) {
    Plane x = binding.input().value();
    Plane y = binding.output().value();
    for (int row = 0; row < y.height(); row++) {
      if (after == After.RELU_POOL) {
        kernels.pooled(
            x.data(),
            x.at(n, 2 * row, 0),
            x.rowStride(),
            y.data(),
            y.at(n, row, 0),
            y.width(),
            channels,
            terms);
      } else {
        kernels.affine(
            x.data(),
            x.at(n, row, 0),
            y.data(),
            y.at(n, row, 0),
            y.width(),
            channels,
            terms,
            after == After.RELU);
      }
    }
  }

  /** Σ d and Σ d·(x − center) of a sample. */
  void gradientSums(int n, ChannelTerms terms) {
    Plane x = binding.input().value();
    Plane dy = binding.output().requireGradient();
    clearSums(terms);
    for (int row = 0; row < dy.height(); row++) {
      if (after == After.RELU_POOL) {
        kernels.pooledSums(
            x.data(),
            x.at(n, 2 * row, 0),
            x.rowStride(),
            dy.data(),
            dy.at(n, row, 0),
            dy.width(),
            channels,
            terms);
      } else {
        kernels.affineSums(
            x.data(),
            x.at(n, row, 0),
            dy.data(),
            dy.at(n, row, 0),
            dy.width(),
            channels,
            terms,
            after == After.RELU);
      }
    }
  }

  /** dx = scale·d + slope·x + offset on a sample. Overwrites the terms' scale and shift. */
  void backward(int n, ChannelTerms terms) {
    Plane x = binding.input().value();
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    for (int row = 0; row < dy.height(); row++) {
      if (after == After.RELU_POOL) {
        kernels.pooledGradient(
            x.data(),
            x.at(n, 2 * row, 0),
            x.rowStride(),
            dy.data(),
            dy.at(n, row, 0),
            dx.data(),
            dx.at(n, 2 * row, 0),
            dx.rowStride(),
            dy.width(),
            channels,
            terms);
      } else {
        kernels.affineGradient(
            x.data(),
            x.at(n, row, 0),
            dy.data(),
            dy.at(n, row, 0),
            dx.data(),
            dx.at(n, row, 0),
            dy.width(),
            channels,
            terms,
            after == After.RELU);
      }
    }
    if (after == After.RELU_POOL) {
      gradientOfUnpooled(n, terms, x, dx);
    }
  }

  /** The last row and column of an odd image reach no window: only slope and offset act on them. */
  private void gradientOfUnpooled(int n, ChannelTerms terms, Plane x, Plane dx) {
    boolean oddHeight = x.height() % 2 == 1;
    boolean oddWidth = x.width() % 2 == 1;
    if (!oddHeight && !oddWidth) {
      return;
    }
    System.arraycopy(terms.slope(), 0, terms.scale(), 0, channels);
    System.arraycopy(terms.offset(), 0, terms.shift(), 0, channels);
    if (oddHeight) {
      int row = x.height() - 1;
      kernels.affine(
          x.data(),
          x.at(n, row, 0),
          dx.data(),
          dx.at(n, row, 0),
          x.width(),
          channels,
          terms,
          false);
    }
    if (oddWidth) {
      int column = x.width() - 1;
      for (int row = 0; row < x.height(); row++) {
        kernels.affine(
            x.data(),
            x.at(n, row, column),
            dx.data(),
            dx.at(n, row, column),
            1,
            channels,
            terms,
            false);
      }
    }
  }
}
