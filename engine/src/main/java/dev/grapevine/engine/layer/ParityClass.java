package dev.grapevine.engine.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * The input pixels (row, column) with row ≡ {@code rowParity} and column ≡ {@code columnParity}
 * modulo the stride. All of them meet the same kernel taps, so that their gradient is a convolution
 * of stride one over the output's gradient. With stride one there is one class.
 *
 * @param rowTaps kernel rows that reach the class, last one first
 * @param columnTaps kernel columns likewise
 */
record ParityClass(int rowParity, int columnParity, int[] rowTaps, int[] columnTaps) {

  static List<ParityClass> of(Conv2d conv) {
    List<ParityClass> classes = new ArrayList<>();
    for (int row = 0; row < conv.stride(); row++) {
      for (int column = 0; column < conv.stride(); column++) {
        ParityClass parity = new ParityClass(row, column, taps(conv, row), taps(conv, column));
        boolean hasPixels = row < conv.input().height() && column < conv.input().width();
        if (hasPixels && parity.rowTaps.length > 0 && parity.columnTaps.length > 0) {
          classes.add(parity);
        }
      }
    }
    return classes;
  }

  private static int[] taps(Conv2d conv, int parity) {
    int[] taps = new int[conv.kernel()];
    int count = 0;
    for (int tap = conv.kernel() - 1; tap >= 0; tap--) {
      if (Math.floorMod(parity + conv.padding() - tap, conv.stride()) == 0) {
        taps[count++] = tap;
      }
    }
    return java.util.Arrays.copyOf(taps, count);
  }

  /**
   * The output row that input row parity + stride·i meets through the class's first tap, less i.
   */
  int firstRow(Conv2d conv) {
    return Math.floorDiv(rowParity + conv.padding() - rowTaps[0], conv.stride());
  }

  int firstColumn(Conv2d conv) {
    return Math.floorDiv(columnParity + conv.padding() - columnTaps[0], conv.stride());
  }

  /** How far output rows (or columns) are read beyond the output, over all classes. */
  static int margin(Conv2d conv, int in, int out) {
    int margin = 0;
    for (int parity = 0; parity < Math.min(conv.stride(), in); parity++) {
      for (int tap : taps(conv, parity)) {
        int start = Math.floorDiv(parity + conv.padding() - tap, conv.stride());
        int last = start + (in - 1 - parity) / conv.stride();
        margin = Math.max(margin, Math.max(-start, last - (out - 1)));
      }
    }
    return margin;
  }

  int rows(Conv2d conv) {
    return (conv.input().height() - rowParity + conv.stride() - 1) / conv.stride();
  }

  int columns(Conv2d conv) {
    return (conv.input().width() - columnParity + conv.stride() - 1) / conv.stride();
  }
}
