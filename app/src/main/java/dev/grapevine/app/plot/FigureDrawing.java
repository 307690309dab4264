package dev.grapevine.app.plot;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws the figures of a file, as {@code grapevine plot FILE} does. */
public final class FigureDrawing {

  private FigureDrawing() {}

  /**
   * Draws what the tables {@code [figure]} of a file ask for.
   *
   * @param err where is told what was left out
   * @return the files written
   */
  public static List<Path> of(Path file, PrintWriter err) {
    List<Path> written = new ArrayList<>();
    for (FigureSettings settings : FigureSettings.read(file)) {
      written.addAll(new FigureMaker(settings, err).write());
    }
    return written;
  }
}
