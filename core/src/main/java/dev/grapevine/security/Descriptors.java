package dev.grapevine.security;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the system lets this process open, dealt out: strangers get an eighth, links most of the
 * rest, and some are left for result files and whatever else there is.
 *
 * @param strangers connections whose other end has not proved who it is
 * @param ends ends of links
 */
public record Descriptors(int strangers, int ends) {

  /** For files that are opened for a moment, such as those of a checkpoint. */
  private static final int RESERVE = 24;

  private static final int MOST_STRANGERS = 256;
  private static final int FEWEST_STRANGERS = 4;

  /** A pair of nodes in one process. */
  private static final int FEWEST_ENDS = 2;

  /** Of this process, now. */
  public static Descriptors here() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? of(system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount())
        : of(Integer.MAX_VALUE);
  }

  /**
   * @param free how many more can be opened
   */
  static Descriptors of(long free) {
    long spare = Math.max(0, free - RESERVE);
    long strangers = Math.clamp(spare / 8, FEWEST_STRANGERS, MOST_STRANGERS);
    return new Descriptors(
        (int) strangers, (int) Math.clamp(spare - strangers, FEWEST_ENDS, Integer.MAX_VALUE));
  }
}
