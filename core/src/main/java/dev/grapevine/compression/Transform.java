package dev.grapevine.compression;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Family;

/**
 * A linear change of basis in which a model's change is sparser than in its parameters. Holds no
 * state between calls and may be used by many threads at once; the work space is the caller's, so a
 * call allocates nothing once it has been made before.
 */
public interface Transform {

  Family<Void, Transform> FAMILY =
      new Family<>(
          "transform", Transform.class, Void.class, "the domain in which changes are ranked");

  /**
   * How many coefficients a vector of {@code length} has; at least {@code length}.
   *
   * @throws dev.grapevine.settings.SettingException when a setting, such as a wavelet's level, does
   *     not fit that length
   */
  int size(int length);

  /** Transforms the whole of {@code x} into the first {@code size(x.length)} coefficients. */
  void forward(float[] x, float[] coefficients, Scratch scratch);

  /** Fills {@code x} from the first {@code size(x.length)} coefficients, which stay as they are. */
  void inverse(float[] coefficients, float[] x, Scratch scratch);
}
