package dev.grapevine.runtime.churn;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.topology.NodeSet;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Absences one by one, as the experiment file lists them. */
@Kind(name = "list", summary = "absences one by one, by time or by round")
public final class ListedChurn implements Churn {

  /** The settings of {@link ListedChurn}. */
  public record Settings(
      @Doc(
              "who is down when, such as {nodes = \"3\", from = \"20 s\", to = \"35 s\", with ="
                  + " \"fresh\"} or {nodes = \"4-5\", from-round = 10, to-round = 14}; without a"
                  + " beginning a node joins late, without an end it leaves for good")
          List<Row> absences) {

    public Settings {
      absences = List.copyOf(absences);
    }
  }

  /** An absence of some nodes. */
  public record Row(
      @Doc("the nodes that are down, as in \"0-3,7\"") String nodes,
      @Doc("when they go down; from the beginning of the run if nothing is said")
          Optional<Duration> from,
      @Doc("when they come back; never if nothing is said") Optional<Duration> to,
      @Doc("the first round that they miss, in place of from") OptionalInt fromRound,
      @Doc("the first round that they take part in again, in place of to") OptionalInt toRound,
      @Doc("what they come back with: memory, checkpoint, fresh or neighbour") @Default("memory")
          ComesBackWith with) {

    public Row {
      SettingException.require(
          from.isEmpty() || fromRound.isEmpty(),
          "from-round",
          "an absence begins by the clock or by rounds: give from or from-round, not both");
      SettingException.require(
          to.isEmpty() || toRound.isEmpty(),
          "to-round",
          "an absence ends by the clock or by rounds: give to or to-round, not both");
      SettingException.require(
          !from.orElse(Duration.ZERO).isNegative() && fromRound.orElse(0) >= 0,
          "from",
          "an absence cannot begin before the run does");
      SettingException.require(
          from.isPresent() || to.isPresent() || fromRound.isPresent() || toRound.isPresent(),
          "from",
          "nodes that are never there need not be listed: give from, to, from-round or to-round");
    }

    Absence absence() {
      Moment begin =
          from.map(Moment::at)
              .orElse(fromRound.isPresent() ? Moment.ofRound(fromRound.getAsInt()) : Moment.START);
      @Nullable Moment end =
          to.map(Moment::at)
              .orElse(toRound.isPresent() ? Moment.ofRound(toRound.getAsInt()) : null);
      try {
        return new Absence(begin, end, with);
      } catch (IllegalArgumentException wrong) {
        throw new SettingException("absences", String.valueOf(wrong.getMessage()));
      }
    }
  }

  private final ByNode absences;

  public ListedChurn(Settings settings, ChurnContext context) {
    absences = new ByNode(context.nodes());
    for (Row row : settings.absences()) {
      NodeSet nodes;
      try {
        nodes = NodeSet.parse(row.nodes(), context.nodes());
      } catch (IllegalArgumentException wrong) {
        throw new SettingException("absences", String.valueOf(wrong.getMessage()));
      }
      for (int node = 0; node < context.nodes(); node++) {
        if (nodes.contains(node)) {
          absences.add(node, row.absence());
        }
      }
    }
    absences.requireOrder("absences");
  }

  @Override
  public Iterator<Absence> absences(int node) {
    return absences.of(node);
  }

  @Override
  public Set<ComesBackWith> ways() {
    return absences.ways();
  }
}
