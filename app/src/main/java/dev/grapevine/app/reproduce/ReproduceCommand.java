package dev.grapevine.app.reproduce;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.compare.Table;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.console.Texts;
import dev.grapevine.app.sweep.MissingRuns;
import dev.grapevine.results.AtomicFiles;
import dev.grapevine.results.SeedGroup;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a published figure or table again and says which of its claims hold. */
@Command(
    name = "reproduce",
    description = {
      "Run a figure or table of the DecentralizePy paper or the JWINS++ thesis again.",
      "Draws it, and says of each claim whether it holds. Without a name: lists them all."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A claim holds when the whole 95 %% confidence interval (Student's t, paired over seeds) lies",
      "where it says, does not hold when all of it lies elsewhere, and otherwise nobody can tell;",
      "with one seed there is no interval. What is done is not run again.",
      "",
      "Examples:",
      "  grapevine reproduce",
      "  grapevine reproduce table15",
      "  grapevine reproduce fig3 --scale paper --seeds 1",
      "  grapevine reproduce fig3 --scale paper --set rounds=400 --set evaluation.nodes=64"
    })
public final class ReproduceCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Which one, such as fig3 or table15; left out: the list.")
  private @Nullable String name;

  @Option(
      names = "--scale",
      defaultValue = "laptop",
      paramLabel = "SCALE",
      description = "laptop (default): a stated reduction; paper: as published.")
  private Scale scale;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "How many seeds, from 90 on (default: those of the preset).")
  private @Nullable Integer seeds;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Change a key of the preset, such as rounds=400; may be repeated. Results go to a folder"
              + " of their own.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/reproduce",
      description = "Where results go, a folder for each name and scale (default runs/reproduce).")
  private Path runs;

  @Option(
      names = "--presets",
      paramLabel = "DIR",
      description = "Where the presets are (default: the examples that come with Grapevine).")
  private @Nullable Path presets;

  @Option(names = "--claims", description = "Run nothing: judge and draw what is done.")
  private boolean claimsOnly;

  @Option(
      names = "--no-estimate",
      description = "Leave out what it will take, which takes some seconds to find out.")
  private boolean withoutEstimate;

  @Mixin private DataFolder data = new DataFolder();

  @Override
  public Integer call() {
    if (seeds != null && seeds < 1) {
      throw new UserException("--seeds must be at least 1: seeds=" + seeds);
    }
    List<Preset> all = Preset.all(examples());
    if (all.isEmpty()) {
      throw new UserException(
          "there are no presets in %s: name their folder by --presets".formatted(examples()));
    }
    if (name == null) {
      if (!assignments.isEmpty()) {
        throw new UserException("--set needs the name of a figure or table");
      }
      new PresetList(runs, data.path(), withoutEstimate).print(all, spec.commandLine().getOut());
      return 0;
    }
    return reproduce(Preset.named(name, all));
  }

  private Path examples() {
    if (presets != null) {
      return presets;
    }
    Path examples = Path.of(System.getProperty("grapevine.home", ".")).resolve("examples");
    if (!Files.isDirectory(examples)) {
      throw new UserException(
          "the examples of Grapevine are not here; name the folder of presets by --presets");
    }
    return examples;
  }

  private int reproduce(Preset preset) {
    Reproduction reproduction =
        Reproduction.of(preset, scale, runs, Objects.requireNonNullElse(seeds, 0), assignments);
    PrintWriter out = spec.commandLine().getOut();
    head(preset, reproduction, out);
    MissingRuns.Ended ended = new MissingRuns.Ended(Map.of(), false);
    if (!claimsOnly) {
      reproduction
          .missingData(data.path())
          .ifPresent(set -> {
            throw new UserException(
                "%s needs %s, which is not on this machine: %s"
                    .formatted(
                        preset.id(),
                        set,
                        preset.about().bring().isEmpty()
                            ? "grapevine data get " + set
                            : preset.about().bring()));
          });
      ended = reproduction.run(data.path(), commandLine());
      ended.failures().forEach((point, reason) -> out.println("failed: " + point + ": " + reason));
    }
    tail(reproduction, out);
    return ended.interrupted() ? Interruption.EXIT_CODE : ended.failures().isEmpty() ? 0 : 1;
  }

  private void head(Preset preset, Reproduction reproduction, PrintWriter out) {
    out.println("%s: %s".formatted(preset.id(), preset.about().title()));
    out.println("%-14s%s".formatted("from", preset.about().document()));
    out.println("%-14s%s".formatted("set-up", preset.about().setup()));
    out.println("%-14s%s".formatted("claim", preset.about().claim()));
    if (!preset.about().open().isEmpty()) {
      out.println("%-14s%s".formatted("not stated", preset.about().open()));
    }
    if (scale == Scale.LAPTOP) {
      out.println("%-14s%s".formatted("reduced", preset.about().laptop()));
      if (!preset.about().standIn().isEmpty()) {
        out.println();
        out.println(
            "*** STAND-IN DATA: %s. What follows says nothing about the published data. ***"
                .formatted(preset.about().standIn()));
      }
    }
    if (!assignments.isEmpty()) {
      out.println("%-14s%s".formatted("changed", String.join(", ", assignments)));
    }
    int left = reproduction.points().size() - reproduction.done();
    out.println(
        "%-14s%d, %d of them done"
            .formatted("runs", reproduction.points().size(), reproduction.done()));
    if (left > 0 && !claimsOnly && !withoutEstimate) {
      out.println(
          "%-14sabout %s of computing"
              .formatted(
                  "will take",
                  Texts.duration(
                      new Cost()
                          .of(
                              reproduction.points().stream()
                                  .filter(point -> !point.isDone())
                                  .map(point -> point.point().experiment())
                                  .toList(),
                              preset.samples(scale)))));
    }
    out.println();
    out.flush();
  }

  private void tail(Reproduction reproduction, PrintWriter out) {
    Map<String, SeedGroup> curves = reproduction.curves();
    if (curves.isEmpty()) {
      out.println("nothing is done yet");
      out.flush();
      return;
    }
    Table results = reproduction.results(curves);
    List<Measured> claims = reproduction.claims(curves);
    Table judged = Reproduction.claimTable(claims);
    out.print(results.in(Table.Format.TEXT));
    out.println();
    for (Measured claim : claims) {
      out.println("%-14s%s".formatted(claim.verdict().words(), claim.claim().says()));
      out.println("%-14s%s; wanted %s".formatted("", claim.text(), claim.claim().bound()));
      if (!claim.claim().published().isEmpty()) {
        out.println("%-14spublished: %s".formatted("", claim.claim().published()));
      }
    }
    out.println();
    int left = reproduction.points().size() - reproduction.done();
    if (left > 0) {
      out.println("%d runs are not done; the same command runs them".formatted(left));
    }
    Path directory = reproduction.directory();
    AtomicFiles.write(directory.resolve("results.md"), results.in(Table.Format.MARKDOWN));
    AtomicFiles.write(directory.resolve("claims.md"), judged.in(Table.Format.MARKDOWN));
    out.println("%-14s%s".formatted("tables", directory.resolve("results.md")));
    out.println("%-14s%s".formatted("", directory.resolve("claims.md")));
    reproduction.draw(spec.commandLine().getErr()).stream()
        .filter(file -> file.toString().endsWith(".png"))
        .forEach(file -> out.println("%-14s%s".formatted("figure", file.normalize())));
    out.flush();
  }

  private List<String> commandLine() {
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    return command;
  }
}
