package dev.grapevine.app.plot;

import dev.grapevine.results.Curve;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A figure as a chart: one line a curve, a pale band for its 95 % confidence interval. Colours are
 * Okabe and Ito's, which colour-blind people tell apart; dashes tell lines apart in black and
 * white. Text is large enough to be read when the figure is one column of a two-column page wide.
 */
final class Chart {

  static final int WIDTH = 840;
  static final int HEIGHT = 580;
  private static final int MOST_POINTS_WITH_MARKERS = 24;
  private static final int BAND_ALPHA = 44;

  private static final int[] COLORS = {
    0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x333333, 0xB8A800
  };
  private static final float[][] DASHES = {{}, {14, 6}, {4, 5}, {14, 5, 4, 5}};

  private Chart() {}

  static XYChart of(Figure figure) {
    XYChart chart = new XYChart(WIDTH, HEIGHT, Styler.ChartTheme.Matlab);
    chart.setTitle(figure.title());
    chart.setXAxisTitle(figure.xTitle());
    chart.setYAxisTitle(figure.yTitle());
    style(chart.getStyler(), figure);
    List<Curve> curves = figure.curves();
    for (int i = 0; i < curves.size(); i++) {
      addBand(chart, figure, i);
    }
    for (int i = 0; i < curves.size(); i++) {
      addLine(chart, figure, i);
    }
    return chart;
  }

  private static void style(XYStyler styler, Figure figure) {
    styler.setChartTitleVisible(!figure.title().isEmpty());
    styler.setChartTitleBoxVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 24));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 25));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 22));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 21));
    styler.setLegendVisible(figure.curves().size() > 1);
    styler.setLegendPosition(new LegendCorner(figure.curves()).best());
    styler.setLegendBackgroundColor(new Color(255, 255, 255, 215));
    styler.setLegendBorderColor(new Color(0xCCCCCC));
    styler.setLegendSeriesLineLength(46);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderColor(new Color(0x888888));
    styler.setPlotGridLinesColor(new Color(0xE2E2E2));
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setChartPadding(12);
    styler.setAxisTitlePadding(10);
    styler.setPlotMargin(0);
    styler.setPlotContentSize(0.97);
    styler.setXAxisTickMarkSpacingHint(120);
    styler.setYAxisTickMarkSpacingHint(70);
    styler.setMarkerSize(9);
    styler.setDecimalPattern("#,##0.####");
    styler.setXAxisMin(0.0);
  }

  private static void addBand(XYChart chart, Figure figure, int index) {
    List<Curve.Point> points =
        figure.curves().get(index).points().stream().filter(p -> p.y().count() > 1).toList();
    if (points.size() < 2) {
      return;
    }
    int size = points.size();
    double[] x = new double[2 * size];
    double[] y = new double[2 * size];
    for (int i = 0; i < size; i++) {
      Curve.Point point = points.get(i);
      double half = point.y().confidence95();
      x[i] = x(figure, point, i);
      x[2 * size - 1 - i] = x[i];
      y[i] = (point.y().mean() + half) / figure.yScale().factor();
      y[2 * size - 1 - i] = (point.y().mean() - half) / figure.yScale().factor();
    }
    XYSeries band = chart.addSeries("band " + index, x, y);
    band.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
    Color color = new Color(COLORS[index % COLORS.length]);
    band.setFillColor(new Color(color.getRed(), color.getGreen(), color.getBlue(), BAND_ALPHA));
    band.setLineColor(new Color(0, 0, 0, 0));
    band.setLineWidth(0);
    band.setMarker(SeriesMarkers.NONE);
    band.setShowInLegend(false);
  }

  private static void addLine(XYChart chart, Figure figure, int index) {
    Curve curve = figure.curves().get(index);
    double[] x = new double[curve.points().size()];
    Arrays.setAll(x, i -> x(figure, curve.points().get(i), i));
    double[] y =
        curve.points().stream().mapToDouble(p -> p.y().mean() / figure.yScale().factor()).toArray();
    XYSeries line = chart.addSeries(index + " " + curve.label(), x, y);
    line.setLabel(curve.label());
    Color color = new Color(COLORS[index % COLORS.length]);
    line.setLineColor(color);
    line.setMarkerColor(color);
    float[] dash = DASHES[index % DASHES.length];
    line.setLineStyle(
        new BasicStroke(
            3.2f,
            BasicStroke.CAP_ROUND,
            BasicStroke.JOIN_ROUND,
            10,
            dash.length == 0 ? null : dash,
            0));
    line.setMarker(
        x.length <= MOST_POINTS_WITH_MARKERS ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
  }

  /**
   * XChart puts its ticks on the data where these are evenly spaced, which gives crooked numbers.
   * The first point is therefore moved, by a fraction of a pixel.
   */
  private static double x(Figure figure, Curve.Point point, int index) {
    double largest =
        figure.curves().stream().mapToDouble(c -> c.points().getLast().x()).max().orElse(0);
    return (point.x() + (index == 0 ? 3e-4 * largest : 0)) / figure.xScale().factor();
  }
}
