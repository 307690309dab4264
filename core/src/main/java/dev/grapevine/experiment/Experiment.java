package dev.grapevine.experiment;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.checkpoint.CheckpointSettings;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSettings;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.Partitioner;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Optimizer;
import dev.grapevine.engine.RateSchedule;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.learning.ModelZoo;
import dev.grapevine.learning.Optimizers;
import dev.grapevine.learning.RateSchedules;
import dev.grapevine.network.NetworkSettings;
import dev.grapevine.privacy.Privacy;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.RuntimeContext;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ChurnContext;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.SectionValues;
import dev.grapevine.settings.SettingException;
import dev.grapevine.settings.TomlText;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An experiment: everything that an experiment file says or leaves to its defaults, typed and
 * validated. Immutable; {@link #with} gives a changed copy. Two experiments are equal when their
 * {@linkplain #toToml resolved texts} are.
 *
 * <pre>{@code
 * Experiment experiment = Experiment.read(Path.of("quickstart.toml")).with("training.rate", "0.1");
 * }</pre>
 */
public final class Experiment {

  private final Document document;
  private final GeneralSettings general;
  private final Map<String, SectionValues> sections;
  private final List<NodeOverride> overrides;
  private final NodeVariants variants;

  Experiment(Document document) {
    this.document = document;
    this.general = document.general();
    this.sections = document.sections();
    this.overrides = document.overrides(nodes().count());
    this.variants = NodeVariants.of(this, overrides, nodes().count());
  }

  /**
   * Reads an experiment file.
   *
   * @throws UserException when the file is missing or wrong
   */
  public static Experiment read(Path file) {
    return read(file, List.of());
  }

  /**
   * Reads an experiment file with some keys set anew, all at once.
   *
   * @param assignments such as {@code training.rate=0.1}, in the order of the command line
   */
  public static Experiment read(Path file, List<String> assignments) {
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of("") : parent;
    RawValue.Table table = TomlText.parse(file.toString(), text(file));
    return new Experiment(new Document(Registry.load(), directory, table).with(assignments));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new UserException("there is no experiment file %s".formatted(file), e);
    } catch (MalformedInputException e) {
      throw new UserException("%s is no text in UTF-8".formatted(file), e);
    } catch (IOException e) {
      throw new UserException("%s cannot be read: %s".formatted(file, FileProblem.reason(e)), e);
    }
  }

  /** Reads an experiment from text; relative paths in it start at the working directory. */
  public static Experiment parse(String toml) {
    return parse(toml, Path.of(""));
  }

  /** Reads an experiment from text; relative paths in it start at {@code directory}. */
  public static Experiment parse(String toml, Path directory) {
    return parse(toml, directory, Registry.load());
  }

  /** Reads an experiment whose kinds come from {@code registry}. */
  public static Experiment parse(String toml, Path directory, Registry registry) {
    return new Experiment(new Document(registry, directory, TomlText.parse("experiment", toml)));
  }

  /**
   * The same experiment with one key set anew, as {@code --set key=value} does.
   *
   * @param key dotted, such as {@code training.rate}
   * @param value as in the file, quotes around text may be left out
   */
  public Experiment with(String key, String value) {
    return with(List.of(key + "=" + value));
  }

  /** The same experiment with some keys set anew, all at once. */
  public Experiment with(List<String> assignments) {
    return new Experiment(document.with(assignments));
  }

  Experiment laidOver(RawValue.Table over) {
    return new Experiment(document.laidOver(over));
  }

  Document document() {
    return document;
  }

  public String name() {
    return general.name();
  }

  public long seed() {
    return general.seed();
  }

  public int rounds() {
    return general.rounds();
  }

  /** The folder that relative paths start from. */
  public Path directory() {
    return document.directory();
  }

  public Registry registry() {
    return document.registry();
  }

  public NodesSettings nodes() {
    return section("nodes").settings(NodesSettings.class);
  }

  public Choice<TopologyContext, Topology> topology() {
    return section("topology").choice("kind", Topology.FAMILY);
  }

  public Choice<DataContext, DataSource> data() {
    return section("data").choice("set", DataSource.FAMILY);
  }

  public Choice<DataContext, Partitioner> partition() {
    return section("data").choice("partition", Partitioner.FAMILY);
  }

  public DataSettings dataSettings() {
    return section("data").settings(DataSettings.class);
  }

  public Choice<ModelContext, Model> model() {
    return section("model").choice("kind", ModelZoo.FAMILY);
  }

  public TrainingSettings training() {
    return section("training").settings(TrainingSettings.class);
  }

  public Choice<Void, Optimizer> optimizer() {
    return section("training").choice("optimizer", Optimizers.FAMILY);
  }

  public Choice<Void, RateSchedule> schedule() {
    return section("training").choice("schedule", RateSchedules.FAMILY);
  }

  public Choice<SharingContext, Encoding> sharing() {
    return section("sharing").choice("kind", Encoding.FAMILY);
  }

  public Choice<Void, Aggregator> aggregation() {
    return section("aggregation").choice("kind", Aggregator.FAMILY);
  }

  public Choice<Void, Privacy> privacy() {
    return section("privacy").choice("kind", Privacy.FAMILY);
  }

  public Choice<ProtocolContext, Protocol> protocol() {
    return section("protocol").choice("kind", Protocol.FAMILY);
  }

  public EvaluationSettings evaluation() {
    return section("evaluation").settings(EvaluationSettings.class);
  }

  public StopSettings stop() {
    return section("stop").settings(StopSettings.class);
  }

  /** When the state of all nodes is saved. */
  public CheckpointSettings checkpoint() {
    return section("checkpoint").settings(CheckpointSettings.class);
  }

  public Choice<RuntimeContext, NodeRuntime> runtime() {
    return section("runtime").choice("kind", NodeRuntime.FAMILY);
  }

  public NetworkSettings network() {
    return section("network").settings(NetworkSettings.class);
  }

  public FaultPolicy faultPolicy() {
    return section("faults").settings(FaultPolicy.class);
  }

  /** What goes wrong on purpose. */
  public Faults faults() {
    return new Faults(
        section("faults").settings(InjectedFaults.class).inject(),
        messageFaults().of(nodes().count()),
        churn().create(new ChurnContext(nodes().count(), seed())));
  }

  /** When nodes go down and come back. */
  public Choice<ChurnContext, Churn> churn() {
    return section("faults").settings(ChurnSettings.class).churn();
  }

  MessageFaultSettings messageFaults() {
    return section("faults").settings(MessageFaultSettings.class);
  }

  /**
   * The files that the experiment names: own code in {@code .java} files, data, graphs, traces.
   * What they hold is part of the experiment, though its text does not show it.
   */
  public NamedFiles files() {
    return NamedFiles.of(this);
  }

  /** What to tell the user of a mistake in one table: with the place where the key stands. */
  public UserException mistake(String section, SettingException mistake) {
    return section(section).mistake(mistake);
  }

  /** All tables. */
  Iterable<SectionValues> sections() {
    return sections.values();
  }

  /** One table by its name. */
  SectionValues section(String name) {
    SectionValues values = sections.get(name);
    if (values == null) {
      throw new IllegalArgumentException("there is no table [%s]".formatted(name));
    }
    return values;
  }

  /** What the file changes for some nodes. */
  public List<NodeOverride> overrides() {
    return overrides;
  }

  /**
   * The experiment as one node sees it, with the overrides that name the node. The same object for
   * all nodes that the same overrides name.
   */
  public Experiment forNode(int node) {
    if (node < 0 || node >= nodes().count()) {
      throw new IllegalArgumentException(
          "no such node: node=%d, nodes=%d".formatted(node, nodes().count()));
    }
    return variants.get(node, this);
  }

  /** The whole experiment with all defaults written out; parses to an equal experiment. */
  public String toToml() {
    return ExperimentText.of(this, general);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Experiment that && toToml().equals(that.toToml());
  }

  @Override
  public int hashCode() {
    return toToml().hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
