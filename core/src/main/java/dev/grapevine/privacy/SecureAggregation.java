package dev.grapevine.privacy;

import dev.grapevine.UserException;
import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Senders;
import dev.grapevine.exchange.secure.MaskedSums;
import dev.grapevine.exchange.secure.Masks;
import dev.grapevine.exchange.secure.NoMasks;
import dev.grapevine.exchange.secure.RealMasks;
import dev.grapevine.exchange.secure.Rules;
import dev.grapevine.security.masking.AgreementKey;
import dev.grapevine.security.masking.FixedPoint;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.Roster;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.settings.Bandwidth;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Secure aggregation on a graph: a node hears the weighted sum of its neighbours' values and
 * nothing of each. Those who send to a node mask what they send, pairwise, with masks that cancel
 * in the sum; values are whole numbers meanwhile, so that the sum is exact. Where the run outlives
 * losses, masks are double and a round can be opened without those who are missing.
 *
 * <p>Costs a keystream of the message's length for each pair of senders of a receiver, and well
 * under 1 % of bytes. What it hides and what not: {@code docs/secure-aggregation.md}.
 */
@Kind(
    name = "secure-aggregation",
    summary = "a node learns only the weighted sum of its neighbours' models",
    paper =
        "Bonawitz et al.: Practical Secure Aggregation for Privacy-Preserving Machine Learning, CCS"
            + " 2017; Bell et al.: SecAgg+, CCS 2020; Ma et al.: Flamingo, S&P 2023")
public final class SecureAggregation implements Privacy {

  /** Whether numbers are really hidden. */
  public enum MaskKind {
    REAL,
    NONE
  }

  /** The {@code [privacy]} table. */
  public record Settings(
      @Doc("never a sum over fewer senders, at least 2") @Default("3") int least,
      @Doc("values are clipped to ± this, a power of two; 64, or 8 with 16 bits, unless given")
          OptionalInt range,
      @Doc("bits of a value on its way: 32, or 16 with rounding by lot") @Default("32") int bits,
      @Doc("with how many others a sender masks at most, even, from 2 to 254") @Default("16")
          int partners,
      @Doc("real masks, or none: the same integers unmasked, to compare") @Default("real")
          MaskKind masks,
      @Doc("how fast a simulated node makes masks, such as \"3 GB/s\"; at once unless given")
          Optional<Bandwidth> maskRate) {

    public Settings {
      SettingException.require(
          least >= 2,
          "least",
          "least must be at least 2, since a sum over one sender is its model: least=" + least);
      SettingException.require(
          partners >= 2 && partners <= 254 && partners % 2 == 0,
          "partners",
          "partners must be even and from 2 to 254: partners=" + partners);
      FixedPoint unused = numbers(bits, range);
    }

    private static FixedPoint numbers(int bits, OptionalInt range) {
      return new FixedPoint(bits, range.orElse(bits == 16 ? 8 : 64));
    }

    FixedPoint numbers() {
      return numbers(bits, range);
    }
  }

  private final Settings settings;

  public SecureAggregation(Settings settings) {
    this.settings = settings;
  }

  @Override
  public boolean isNone() {
    return false;
  }

  @Override
  public boolean hides() {
    return settings.masks() == MaskKind.REAL;
  }

  @Override
  public Optional<String> warning(int processes, boolean certified) {
    if (!hides()) {
      return Optional.of(
          "privacy.masks is none: what nodes send is not hidden, it only has the same size and the"
              + " same rounding");
    }
    if (processes == 1) {
      return Optional.of(
          "all nodes are in one process, which sees every model: secure aggregation protects"
              + " nothing here, and only shows what it costs");
    }
    return Optional.of(
        "secure aggregation hides the models of each worker's nodes from the other workers; a worker"
            + " sees those of its own nodes, and the sums that they hear. "
            + (certified
                ? "Keys are signed by certificates of an authority"
                : "Nobody vouches for keys but the one who coordinates and hands them out: it is"
                    + " trusted (grapevine identity makes certificates)"));
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Senders senders) {
    if (!rule.isLinear()) {
      return Optional.of(
          "the rule of aggregation looks at each neighbour's model, and secure aggregation shows"
              + " their sum alone; take aggregation.kind = \"weighted\"");
    }
    if (!encoding.hasCommonCoordinates()) {
      return Optional.of(
          "masks cancel only where all nodes speak of the same coordinates, and in this sharing"
              + " scheme each has its own; take full, round-robin, or subsampling with draw ="
              + " \"common\" and a schedule common to all");
    }
    if (!encoding.addsUp()) {
      return Optional.of(
          "masks need values that travel as they are and are mixed with the topology's weights,"
              + " and those of this sharing scheme do not or are not; take sharing.kind = \"full\""
              + " with values = \"raw\"");
    }
    return SenderCheck.objection(senders, settings.least(), settings.numbers().mostSenders());
  }

  @Override
  public Beginning begin(Start start) {
    Rules rules =
        new Rules(
            start.session(),
            settings.least(),
            settings.numbers(),
            settings.partners(),
            !start.lossEndsRun(),
            start.seed(),
            settings.maskRate().map(rate -> 1e9 / rate.bytesPerSecond()).orElse(0.0));
    return hides() ? new Secretive(start, rules) : new Open(rules);
  }

  /** The same numbers without masks: there is nothing to know of each other. */
  private record Open(Rules rules) implements Beginning {

    @Override
    public SortedMap<Integer, byte[]> shown() {
      return Collections.emptySortedMap();
    }

    @Override
    public Nodes knowing(SortedMap<Integer, byte[]> all) {
      return node -> desk -> new MaskedSums(desk, rules, new NoMasks());
    }
  }

  /** The secrets of one process's nodes; those of other processes are never here. */
  private static final class Secretive implements Beginning {

    private final int nodes;
    private final Rules rules;
    private final Map<Integer, AgreementKey> keys = new HashMap<>();
    private final Map<Integer, Secrets> sources = new HashMap<>();

    Secretive(Start start, Rules rules) {
      this.nodes = start.nodes();
      this.rules = rules;
      for (int node : start.own()) {
        Secrets source = start.secrets().apply(node);
        keys.put(node, AgreementKey.draw(source));
        sources.put(node, source);
      }
    }

    @Override
    public SortedMap<Integer, byte[]> shown() {
      SortedMap<Integer, byte[]> shown = new TreeMap<>();
      keys.forEach((node, key) -> shown.put(node, key.publicKey()));
      return shown;
    }

    @Override
    public Nodes knowing(SortedMap<Integer, byte[]> all) {
      if (all.size() != nodes || all.firstKey() != 0 || all.lastKey() != nodes - 1) {
        throw new UserException(
            "secure aggregation needs the keys of all nodes, and has those of %d of %d: let all"
                    .formatted(all.size(), nodes)
                + " nodes take part");
      }
      Roster roster = new Roster(rules.session(), List.copyOf(all.values()));
      return node -> {
        AgreementKey own = keys.get(node);
        Secrets source = sources.get(node);
        if (own == null || source == null) {
          throw new IllegalArgumentException("node %d is not of this process".formatted(node));
        }
        Masks masks = new RealMasks(node, new KeyRing(node, own, roster), source);
        return desk -> new MaskedSums(desk, rules, masks);
      };
    }
  }
}
