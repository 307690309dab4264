package dev.grapevine.sharing;

import java.util.Arrays;

/** temporary */
public final class Highest {
  private Highest() {}

  public static void select(float[] scores, int size, int count, int[] indices) {
    if (count == 0) return;
    float[] sorted = Arrays.copyOf(scores, size);
    Arrays.sort(sorted);
    float threshold = sorted[size - count];
    int above = 0;
    for (int i = 0; i < size; i++) if (scores[i] > threshold) above++;
    int ties = count - above;
    int n = 0;
    for (int i = 0; i < size; i++) {
      if (scores[i] > threshold || (scores[i] == threshold && ties-- > 0)) indices[n++] = i;
    }
  }
}
