package dev.grapevine.app.topology;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.topology.Graph;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Draws a graph: discs for nodes, numbered while there is room, and lines for edges. */
public final class GraphPicture {

  private static final int MOST_NUMBERED = 200;
  private static final Color NODE = new Color(0x3b6ea8);
  private static final Color RIM = new Color(0xffffff);
  private static final int EDGE = 0x56606b;

  private GraphPicture() {}

  /** The graph as SVG text, laid out as suits it. */
  public static String svg(Graph graph) {
    SvgCanvas canvas = new SvgCanvas();
    draw(graph, GraphLayout.of(graph, GraphLayout.Style.AUTO), canvas);
    return canvas.finish();
  }

  /** Refuses a file name that ends neither in .svg nor in .png. */
  static void check(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".svg") && !name.endsWith(".png")) {
      throw new UserException(
          "pictures are .svg or .png files: file=" + file + "; give the name one of these endings");
    }
  }

  static void write(Graph graph, GraphLayout.Style style, Path file) {
    GraphLayout layout = GraphLayout.of(graph, style);
    try {
      if (file.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
        SvgCanvas canvas = new SvgCanvas();
        draw(graph, layout, canvas);
        Files.writeString(file, canvas.finish());
      } else {
        ImageCanvas canvas = new ImageCanvas();
        draw(graph, layout, canvas);
        ImageIO.write(canvas.finish(), "png", file.toFile());
      }
    } catch (IOException e) {
      throw new UserException("cannot write " + file + ": " + FileProblem.reason(e), e);
    }
  }

  private static void draw(Graph graph, GraphLayout layout, Canvas canvas) {
    double radius = Math.clamp(180 / Math.sqrt(graph.nodes()), 3, 20);
    double margin = radius * 1.5 + 10;
    double width = Canvas.SIZE - 2 * margin;
    double[] x = new double[graph.nodes()];
    double[] y = new double[graph.nodes()];
    for (int node = 0; node < graph.nodes(); node++) {
      x[node] = margin + width * layout.x()[node];
      y[node] = margin + width * layout.y()[node];
    }
    spread(x, y, 2.3 * radius);
    drawEdges(graph, x, y, radius, canvas);
    for (int node = 0; node < graph.nodes(); node++) {
      canvas.disc(x[node], y[node], radius, NODE, RIM);
      if (graph.nodes() <= MOST_NUMBERED) {
        double height = radius * (graph.nodes() <= 100 ? 1.05 : 0.85);
        canvas.text(x[node], y[node], height, String.valueOf(node), Color.WHITE);
      }
    }
  }

  /** Pushes apart discs that would lie on each other. */
  private static void spread(double[] x, double[] y, double least) {
    Spacing.apart(x, y, least);
    double edge = least / 2;
    Arrays.setAll(x, i -> Math.clamp(x[i], edge, Canvas.SIZE - edge));
    Arrays.setAll(y, i -> Math.clamp(y[i], edge, Canvas.SIZE - edge));
  }

  private static void drawEdges(Graph graph, double[] x, double[] y, double radius, Canvas canvas) {
    int alpha = (int) Math.clamp(255 * Math.pow(80.0 / Math.max(1, graph.edges()), 0.4), 40, 190);
    Color color = new Color(EDGE >> 16, EDGE >> 8 & 255, EDGE & 255, alpha);
    double thickness = Math.clamp(radius / 8, 0.6, 2);
    for (int node = 0; node < graph.nodes(); node++) {
      for (int peer : graph.targets(node)) {
        if (graph.isDirected() || node < peer) {
          canvas.line(x[node], y[node], x[peer], y[peer], thickness, color);
        }
        if (graph.isDirected()) {
          arrowHead(x[node], y[node], x[peer], y[peer], radius, canvas);
        }
      }
    }
  }

  private static void arrowHead(
      double fromX, double fromY, double toX, double toY, double radius, Canvas canvas) {
    double length = Math.hypot(toX - fromX, toY - fromY);
    if (length < 2 * radius) {
      return;
    }
    double dx = (toX - fromX) / length;
    double dy = (toY - fromY) / length;
    double size = Math.max(5, radius * 0.7);
    double tipX = toX - dx * radius;
    double tipY = toY - dy * radius;
    double backX = tipX - dx * size;
    double backY = tipY - dy * size;
    double half = size * 0.4;
    canvas.triangle(
        new double[] {tipX, backX - dy * half, backX + dy * half},
        new double[] {tipY, backY + dx * half, backY - dx * half},
        new Color(EDGE));
  }
}
