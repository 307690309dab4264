package dev.grapevine.data.format;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Damages content as cut-off, garbled and spliced files are damaged. */
public final class Mutations {

  private static final byte[] TELLING = {'{', '}', '[', ']', '"', ',', ':', '-', '0', '9', 0, -1};

  private Mutations() {}

  /** A copy with one to four damages. */
  public static byte[] of(byte[] good, RandomGenerator random) {
    byte[] content = good.clone();
    for (int damages = 1 + random.nextInt(4); damages > 0 && content.length > 0; damages--) {
      int at = random.nextInt(content.length);
      switch (random.nextInt(5)) {
        case 0 -> content[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> content[at] = TELLING[random.nextInt(TELLING.length)];
        case 2 -> content = Arrays.copyOf(content, at);
        case 3 -> content = without(content, at, Math.min(content.length, at + random.nextInt(9)));
        default -> content = doubled(content, at, Math.min(content.length, at + random.nextInt(9)));
      }
    }
    return content;
  }

  private static byte[] without(byte[] content, int from, int to) {
    byte[] shorter = Arrays.copyOf(content, content.length - (to - from));
    System.arraycopy(content, to, shorter, from, content.length - to);
    return shorter;
  }

  private static byte[] doubled(byte[] content, int from, int to) {
    byte[] longer = Arrays.copyOf(content, content.length + (to - from));
    System.arraycopy(content, from, longer, to, content.length - from);
    return longer;
  }
}
