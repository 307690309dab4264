package dev.grapevine.app.run;

import dev.grapevine.app.log.RunLog;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Forecast;
import dev.grapevine.launch.ProgressListener;
import dev.grapevine.launch.RunProgress;
import dev.grapevine.results.RunDirectory;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What a run shows of itself while it goes: a line on the terminal, and lines in its log. */
public final class RunView implements ProgressListener {

  private final Experiment experiment;
  private final ProgressLine line;
  private final RunLog log;
  private final PrintWriter err;
  private final RunProgressText text;
  private final List<String> notes = new ArrayList<>();

  public RunView(Experiment experiment, ProgressLine line, RunLog log, PrintWriter err) {
    this.experiment = experiment;
    this.line = line;
    this.log = log;
    this.err = err;
    this.text = new RunProgressText(experiment);
  }

  @Override
  public void note(String note) {
    err.println("note: " + note);
    err.flush();
    notes.add(note);
  }

  @Override
  public void begun(RunDirectory directory) {
    log.into(directory.logFile());
    notes.forEach(note -> log.info("note: " + note));
    log.info(
        "%s begins: %d nodes, %d rounds, seed %d"
            .formatted(
                experiment.name(),
                experiment.nodes().count(),
                experiment.rounds(),
                experiment.seed()));
  }

  @Override
  public void joined(String worker, int missing) {
    String text =
        worker
            + (missing == 0
                ? " has joined; all are there"
                : " has joined, %d to come".formatted(missing));
    log.info(text);
    line.show(text);
    if (missing == 0) {
      err.println(text);
      err.flush();
    }
  }

  @Override
  public void expected(Forecast forecast) {
    text.expected(forecast);
    log.info(ForecastText.of(forecast));
    err.println(ForecastText.of(forecast));
    err.flush();
  }

  @Override
  public void progress(RunProgress progress) {
    text.at(progress);
    line.show(columns -> text.of(progress, columns));
    log.progress(() -> text.of(progress));
  }
}
