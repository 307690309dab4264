package dev.grapevine.app.drawing;

import java.awt.Color;
import java.util.List;

/**
 * How a line is drawn.
 *
 * @param width in units of the sheet
 * @param dash lengths drawn and left out in turn; empty for a whole line
 */
public record Pen(Color color, double width, List<Float> dash) {

  public Pen {
    dash = List.copyOf(dash);
  }

  public static Pen of(Color color, double width) {
    return new Pen(color, width, List.of());
  }

  float[] dashes() {
    float[] dashes = new float[dash.size()];
    for (int i = 0; i < dashes.length; i++) {
      dashes[i] = dash.get(i);
    }
    return dashes;
  }
}
