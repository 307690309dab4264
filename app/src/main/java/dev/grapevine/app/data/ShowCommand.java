package dev.grapevine.app.data;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSettings;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DealtData;
import dev.grapevine.data.Partitioner;
import dev.grapevine.data.partition.FromFile;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.SectionValues;
import dev.grapevine.settings.SettingException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code grapevine data show}: a table and pictures of how a set is dealt to nodes. */
@Command(
    name = "show",
    description = {
      "Shows how a data set is dealt to nodes, as a table and pictures.",
      "Every setting of the set and the partition is an option too, such as --shards-per-node 2."
    },
    mixinStandardHelpOptions = true)
final class ShowCommand implements Runnable {

  @Parameters(paramLabel = "SET", description = "A name from `grapevine data list`.")
  private String set;

  @Option(
      names = "--nodes",
      defaultValue = "16",
      description = "Number of nodes (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--partition",
      defaultValue = "iid",
      description =
          "iid, shards, dirichlet, natural, classes, quantity-skew, fractions or file (default:"
              + " ${DEFAULT-VALUE}).")
  private String partition;

  @Option(
      names = "--pictures",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Where the pictures go (default: the present folder).")
  private Path pictures;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Write the deal as JSON, to be read by --partition file.")
  private Optional<Path> export = Optional.empty();

  @Unmatched private List<String> settings = new ArrayList<>();

  @Mixin private DataOptions options = new DataOptions();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    SectionValues chosen = options.bind(Registry.load(), set, partition, settings);
    DataContext context = options.context();
    DealtData data = deal(chosen, context);
    DataSet train = data.splits().train();
    out.printf(
        "%s: %,d training and %,d test samples, input %s, %s%n%n",
        set,
        train.size(),
        data.splits().test().size(),
        Arrays.toString(train.inputShape()),
        train.classes() == 0 ? "values to approximate" : train.classes() + " classes");
    Deal deal = Deal.count(train, data.shards());
    DealTable.print(deal, train, out);
    String title = "%s dealt to %d nodes: %s".formatted(set, nodes, described(chosen));
    out.println();
    write(DealPicture.draw(deal, train, title), set + "-" + partition + "-" + nodes, out);
    if (train.classes() > 0) {
      train
          .image()
          .ifPresent(format -> write(SampleSheet.draw(train, format), set + "-samples", out));
    }
    export.ifPresent(file -> FromFile.write(data.shards(), file));
    out.flush();
  }

  private DealtData deal(SectionValues chosen, DataContext context) {
    try {
      return DealtData.prepare(
          chosen.choice("set", DataSource.FAMILY).create(context),
          chosen.choice("partition", Partitioner.FAMILY).create(context),
          chosen.settings(DataSettings.class),
          nodes,
          options.seed());
    } catch (SettingException misfit) {
      throw new UserException(String.valueOf(misfit.getMessage()), misfit);
    }
  }

  /** Such as {@code shards, shards-per-node = 2}. */
  private static String described(SectionValues chosen) {
    String name = chosen.choice("partition", Partitioner.FAMILY).name();
    return chosen
        .choice("partition", Partitioner.FAMILY)
        .toString()
        .replaceAll("^[{\"]|[}\"]$", "")
        .replace("kind = \"" + name + "\"", name);
  }

  private void write(BufferedImage picture, String name, PrintWriter out) {
    Path file = pictures.resolve(name + ".png");
    try {
      Files.createDirectories(pictures);
      ImageIO.write(picture, "png", file.toFile());
    } catch (IOException failure) {
      throw new UserException(
          "cannot write the picture: file=%s (%s); choose another folder with --pictures"
              .formatted(file, FileProblem.reason(failure)),
          failure);
    }
    out.println("picture: " + file);
  }
}
