package dev.grapevine.app.cluster;

import dev.grapevine.app.DataFolder;
import dev.grapevine.app.LastResort;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.app.terminal.LentErrorStream;
import dev.grapevine.cluster.ExitCode;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rank;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.cluster.RunGivenUp;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.launch.CoordinatedRun;
import dev.grapevine.launch.ResumedWork;
import dev.grapevine.launch.WorkerRun;
import dev.grapevine.security.RunSecret;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * A worker that a launcher has started. The secret comes over standard input, with whose end the
 * worker ends; the launcher coordinates. Its words are the launcher's own, so that it does without
 * the parser of commands: of many processes that start at once, each would spend an eighth of its
 * processor time on that.
 */
@Command(
    name = LaunchedWorker.NAME,
    hidden = true,
    description = "Be a worker that a launcher has started; not for people.")
public final class LaunchedWorker implements Subcommand, Callable<Integer> {

  /** What it is called where it is started on another machine, by the launcher there. */
  static final String NAME = "launched";

  @Unmatched private List<String> words = new ArrayList<>();

  public static void main(String[] words) {
    LentErrorStream.takeBack();
    PrintWriter err = new PrintWriter(System.err, true);
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> LastResort.report(failure, err));
    int code;
    try {
      LaunchedWorker worker = new LaunchedWorker();
      worker.words = List.of(words);
      code = worker.call();
    } catch (RuntimeException | Error failure) {
      code = LastResort.report(failure, err);
    }
    System.exit(code);
  }

  @Override
  public Integer call() {
    RunSecret secret = RunSecret.read(System.in);
    WorkerPart part =
        new WorkerPart(
            new Rank(number("--rank"), number("--world")),
            secret,
            ClusterOptions.told(this::one, words.contains("--insecure")),
            one("--advertise"),
            number("--port"),
            one("--log-level")
                .map(level -> LogLevel.valueOf(level.toUpperCase(Locale.ROOT)))
                .orElse(LogLevel.INFO));
    try (Interruption interruption = Interruption.ofLaunchedThread(part::stop);
        LifeLine lifeLine = LifeLine.ofStandardInput()) {
      int code = take(part, lifeLine);
      return code == ExitCode.INTERRUPTED ? interruption.exitCode() : code;
    } catch (RunGivenUp given) {
      System.err.println(given.getMessage());
      return given.exitCode();
    }
  }

  private int take(WorkerPart part, LifeLine lifeLine) {
    WorkerPart.Work work =
        one("--goes-on")
            .map(run ->
                words.contains("--forks")
                    ? ResumedWork.branchingOff(Path.of(run), number("--after"), all("--set"))
                    : ResumedWork.after(Path.of(run), number("--after"), all("--set")))
            .map(resumed -> new WorkerPart.Work(resumed.experiment(), Optional.of(resumed)))
            .orElseGet(() ->
                new WorkerPart.Work(
                    Experiment.read(Path.of(words.getFirst()), all("--set")), Optional.empty()));
    work = comingBack(work);
    Path data = DataFolder.of(one("--data-dir").map(Path::of)).path();
    Parts parts = CoordinatedRun.parts(work.experiment(), data);
    Placement placement =
        one("--nodes")
            .map(nodes -> Placements.parse(nodes, parts.learners(), parts.nodes()))
            .orElseGet(
                () -> Placement.blocks(parts.learners(), parts.nodes(), part.rank().world()));
    List<String> command = new ArrayList<>(List.of("grapevine", NAME));
    command.addAll(words);
    WorkerRun worker = work.run(parts, placement, part.rank(), command);
    try {
      // What it warns of goes to the coordinator, which shows it.
      return part.start(
          worker,
          work.experiment(),
          Rendezvous.parse(one("--rendezvous").orElseThrow()),
          OutputStream.nullOutputStream(),
          () -> lifeLine.joined(part::leave));
    } catch (InterruptedException asked) {
      return ExitCode.INTERRUPTED;
    }
  }

  /** The same work for one who was lost and comes back: its nodes as they were saved last. */
  private WorkerPart.Work comingBack(WorkerPart.Work begun) {
    return one("--back-in")
        .map(run ->
            new WorkerPart.Work(
                begun.experiment(),
                Optional.of(
                    ResumedWork.comingBack(
                        begun.experiment(),
                        begun.resumed(),
                        Path.of(run),
                        number("--back-after")))))
        .orElse(begun);
  }

  private Optional<String> one(String name) {
    return all(name).stream().reduce((first, last) -> last);
  }

  private int number(String name) {
    return one(name).map(Integer::parseInt).orElse(0);
  }

  /** What follows a name, each time that it is there. */
  private List<String> all(String name) {
    List<String> values = new ArrayList<>();
    for (int i = 1; i < words.size() - 1; i++) {
      if (words.get(i).equals(name)) {
        i++;
        values.add(words.get(i));
      }
    }
    return values;
  }
}
