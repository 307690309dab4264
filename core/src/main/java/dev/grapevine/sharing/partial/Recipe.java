package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.Transform;
import dev.grapevine.compression.index.EliasGamma;
import dev.grapevine.compression.transform.Fourier;
import dev.grapevine.compression.transform.Identity;
import dev.grapevine.compression.transform.Wavelet;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.FixedBudget;
import dev.grapevine.sharing.ShareCounts;
import dev.grapevine.sharing.SharingContext;
import java.util.Optional;

/** Puts a scheme together piece by piece; what is left out is as in {@code kind = "partial"}. */
public final class Recipe {

  // Holds nothing but the tables for one length; all nodes of a process share them.
  private static final Fourier FOURIER = new Fourier();

  private final SharingContext context;
  private Transform transform = new Identity();
  private Rank rank = Rank.ACCUMULATED_V2;
  private double epsilon;
  private double alphaLow;
  private Budget budget = new FixedBudget(0.1);
  private IndexCodec indices = new EliasGamma();
  private FloatCodec values = new RawFloats();
  private Averaging averaging = Averaging.MIXING_WEIGHTS;
  private Draw draw = Draw.OWN;
  private boolean caps;
  private boolean countsShares;

  public Recipe(SharingContext context) {
    this.context = context;
  }

  /** In which domain coordinates are picked. */
  public Recipe transform(Transform transform) {
    this.transform = transform instanceof Fourier ? FOURIER : transform;
    return this;
  }

  Recipe wavelet(String wavelet, Optional<Integer> level) {
    return transform(new Wavelet(new Wavelet.Settings(wavelet, level)));
  }

  /** By what they are picked. */
  public Recipe rank(Rank rank) {
    this.rank = rank;
    return this;
  }

  /** Scores in relation to magnitude, |score| / (|z| + ε); 0 for scores as they are. */
  public Recipe normalized(double epsilon) {
    this.epsilon = epsilon;
    return this;
  }

  /** The part of the budget kept for coordinates sent too rarely; 0 for none. */
  public Recipe bounded(double alphaLow) {
    this.alphaLow = alphaLow;
    return this;
  }

  /** How many are sent. */
  public Recipe budget(Budget budget) {
    this.budget = budget;
    return this;
  }

  /** How positions travel. */
  public Recipe indices(IndexCodec indices) {
    this.indices = indices;
    return this;
  }

  /** How values travel. */
  public Recipe values(FloatCodec values) {
    this.values = values;
    return this;
  }

  /** How a weighted mean counts what only some have sent. */
  public Recipe averaging(Averaging averaging) {
    this.averaging = averaging;
    return this;
  }

  /** Whose lot decides, where coordinates are picked by lot. */
  public Recipe draw(Draw draw) {
    this.draw = draw;
    return this;
  }

  /** Whether everything is sent where that takes fewer bytes than positions and values. */
  public Recipe capped(boolean caps) {
    this.caps = caps;
    return this;
  }

  /** Whether to report how often each coordinate is sent. */
  public Recipe counting(boolean countsShares) {
    this.countsShares = countsShares;
    return this;
  }

  /** The scheme for the context's node. */
  public Encoding build() {
    Domain domain = Domain.of(transform, context.vector().length);
    int units = domain.size() / domain.valuesPerUnit();
    boolean bounded = alphaLow > 0;
    Optional<ShareCounts> counts =
        countsShares || bounded
            ? Optional.of(new ShareCounts(units, context.state(), "counts"))
            : Optional.empty();
    Picker picker =
        switch (rank) {
          case RANDOM ->
              draw == Draw.COMMON
                  ? RandomPicker.common(context.random(), context.seed())
                  : RandomPicker.own(context.random());
          case ROUND_ROBIN -> new BlockPicker();
          default ->
              bounded
                  ? new BoundedPicker(
                      gauge(domain), indices, alphaLow, counts.orElseThrow(), context.random())
                  : new ScorePicker(gauge(domain), indices, caps);
        };
    return new PartialEncoding(
        context,
        new PartialEncoding.Pieces(
            domain, budget, picker, values, averaging, counts.orElse(null), countsShares));
  }

  private Gauge gauge(Domain domain) {
    Gauge gauge =
        switch (rank) {
          case MAGNITUDE -> new Magnitude();
          case CHANGE -> new Change();
          case ACCUMULATED_V1 -> new AccumulatedTraining(reference(domain));
          case ACCUMULATED_V2 -> new AccumulatedChange(reference(domain));
          case RANDOM, ROUND_ROBIN -> throw new IllegalStateException("no scores: rank=" + rank);
        };
    return epsilon > 0 ? new RelativeGauge(gauge, epsilon) : gauge;
  }

  private float[] reference(Domain domain) {
    return context.state().floats("reference", domain.copyOf(context.vector()));
  }

  static void requireVersion(int version) {
    SettingException.require(
        version == 1 || version == 2, "version", "version must be 1 or 2: version=" + version);
  }

  static void requireAlphaLow(double alphaLow, String key) {
    SettingException.require(
        alphaLow >= 0 && alphaLow < 1,
        key,
        "%s must be in [0, 1): %s=%s".formatted(key, key, alphaLow));
  }

  /** Refuses a wavelet or level that no model could have. */
  static void requireWavelet(String wavelet, Optional<Integer> level) {
    var unused = new Wavelet.Settings(wavelet, level);
  }
}
