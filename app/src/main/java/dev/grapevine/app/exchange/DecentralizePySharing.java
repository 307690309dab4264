package dev.grapevine.app.exchange;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Turns the section {@code [SHARING]} of a DecentralizePy configuration into the table {@code
 * [sharing]}. Every default that differs from ours is written out, and what would change the
 * meaning is never taken over in silence: it is translated, or named with what takes its place.
 */
final class DecentralizePySharing {

  private static final String SECTION = "SHARING";
  private static final String TABLE = "sharing";

  private final IniFile ini;
  private final DecentralizePyConfig into;

  DecentralizePySharing(IniFile ini, DecentralizePyConfig into) {
    this.ini = ini;
    this.into = into;
  }

  void translate() {
    // Where Python finds its classes, and what it writes for debugging.
    for (String key :
        List.of(
            "sharing_package",
            "compression_package",
            "save_shared",
            "save_accumulated",
            "dict_ordered",
            "pickle")) {
      ini.take(SECTION, key);
    }
    String theirs = ini.take(SECTION, "sharing_class").orElse("Sharing");
    switch (theirs) {
      case "Sharing" -> {
        kind("full");
        compression(false);
      }
      case "PlainAverageSharing" -> {
        kind("average");
        compression(false);
      }
      case "SubSampling" -> {
        kind("subsampling");
        alpha();
        if (ini.takeFlag(SECTION, "layerwise", false)) {
          into.lacks(SECTION, "layerwise", "True", "parameters are drawn from the whole model");
        }
        compression(false);
      }
      case "Choco" -> choco();
      case "RoundRobinPartial" -> {
        kind("round-robin");
        alpha();
        compression(false);
      }
      case "TopKParams" -> {
        kind("topk");
        alpha();
        compression(true);
      }
      case "PartialModel",
          "TopKNormalized",
          "LowerBoundTopK",
          "Wavelet",
          "FFT",
          "JWINS",
          "RandomAlpha",
          "RandomAlphaIncremental",
          "RandomAlphaWavelet" ->
          partial(theirs);
      default -> {
        into.lacks(SECTION, "sharing_class", theirs, "no such scheme; full is used");
        kind("full");
        ini.take(SECTION, "compress");
        ini.take(SECTION, "compression_class");
      }
    }
  }

  private void kind(String kind) {
    into.setText(TABLE, "kind", kind);
  }

  /** Theirs is to share everything. */
  private void alpha() {
    into.set(
        TABLE,
        "alpha",
        ini.take(SECTION, "alpha").map(DecentralizePyConfig::tomlNumber).orElse("1.0"));
  }

  private void choco() {
    kind("choco");
    into.number(SECTION, "step_size", TABLE, "gamma");
    String alpha = ini.take(SECTION, "alpha").map(DecentralizePyConfig::tomlNumber).orElse("0.1");
    String values = values().map(codec -> ", values = " + codec).orElse("");
    into.set(TABLE, "compressor", "{kind = \"topk\", alpha = " + alpha + indices() + values + "}");
  }

  /** All that share some coordinates, each in its domain and by its rank. */
  private void partial(String theirs) {
    boolean wavelet = List.of("Wavelet", "JWINS", "RandomAlphaWavelet").contains(theirs);
    boolean random = theirs.equals("JWINS") || theirs.startsWith("RandomAlpha");
    boolean accumulates = ini.takeFlag(SECTION, "accumulation", false);
    boolean both = ini.takeFlag(SECTION, "accumulate_averaging_changes", false);
    boolean byChange = ini.takeFlag(SECTION, "change_based_selection", true);
    String rank =
        !byChange
            ? "magnitude"
            : !accumulates ? "change" : both ? "accumulated-v2" : "accumulated-v1";
    Optional<String> name = shortName(theirs, rank);
    boolean isShort = name.isPresent();
    kind(name.orElse("partial"));
    if (!isShort) {
      into.setText(TABLE, "rank", rank);
    } else if (List.of("accumulation", "normalized", "bounded").contains(name.get())) {
      into.set(TABLE, "version", rank.equals("accumulated-v2") ? "2" : "1");
    }
    if (wavelet) {
      domain(
          ini.take(SECTION, "wavelet").orElse("haar"),
          ini.take(SECTION, "level").orElse("4"),
          isShort);
    } else if (theirs.equals("FFT") && !isShort) {
      into.setText(TABLE, "transform", "fourier");
    }
    if (theirs.equals("TopKNormalized") && !isShort) {
      into.set(TABLE, "normalized", "true");
    }
    if (theirs.equals("LowerBoundTopK")) {
      into.number(SECTION, "lower_bound", TABLE, isShort ? "alpha-low" : "bounded");
    }
    double cap = ini.take(SECTION, "metadata_cap").map(Double::parseDouble).orElse(1.0);
    if (random) {
      String list = ini.take(SECTION, "alpha_list").orElse("[0.1, 0.2, 0.3, 0.4, 1.0]");
      String shares = capped(list, cap);
      if (kindIs("jwins")) {
        into.set(TABLE, "alphas", shares);
      } else {
        into.set(
            TABLE,
            isShort ? "schedule" : "budget",
            "{kind = \"random\", alphas = %s}".formatted(shares));
      }
      ini.take(SECTION, "alpha");
    } else {
      alpha();
      String alpha = into.value(TABLE, "alpha");
      if (Double.parseDouble(alpha) >= cap) {
        into.set(TABLE, "alpha", "1.0");
      }
    }
    compression(true);
  }

  /** The scheme that has a name of its own, if the combination is one. */
  private static Optional<String> shortName(String theirs, String rank) {
    boolean accumulated = rank.startsWith("accumulated");
    boolean second = rank.equals("accumulated-v2");
    return Optional.ofNullable(
        switch (theirs) {
          case "PartialModel", "RandomAlpha", "RandomAlphaIncremental" ->
              accumulated ? "accumulation" : rank.equals("change") ? "topk-change" : "topk";
          case "TopKNormalized" -> accumulated ? "normalized" : null;
          case "LowerBoundTopK" -> accumulated ? "bounded" : null;
          case "Wavelet", "RandomAlphaWavelet" -> second ? "wavelet" : null;
          case "JWINS" -> second ? "jwins" : null;
          case "FFT" -> second ? "fourier" : null;
          default -> null;
        });
  }

  private void domain(String wavelet, String level, boolean isShort) {
    String levels = level.equals("None") ? "" : ", level = " + level;
    if (isShort) {
      into.setText(TABLE, "wavelet", wavelet);
      if (!levels.isEmpty()) {
        into.set(TABLE, "level", level);
      }
    } else {
      into.set(
          TABLE,
          "transform",
          "{kind = \"wavelet\", wavelet = \"%s\"%s}".formatted(wavelet, levels));
    }
  }

  private boolean kindIs(String kind) {
    return into.value(TABLE, "kind").equals('"' + kind + '"');
  }

  /** A share from the cap on stands for everything. */
  private static String capped(String list, double cap) {
    return Arrays.stream(list.replaceAll("[\\[\\]]", "").split(",", -1))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .map(value ->
            Double.parseDouble(value) >= cap ? "1.0" : DecentralizePyConfig.tomlNumber(value))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private void compression(boolean sendsIndices) {
    if (sendsIndices) {
      String indices = indices();
      if (!indices.isEmpty()) {
        into.set(TABLE, "indices", indices.substring(indices.indexOf('=') + 2));
      }
    }
    values().ifPresent(codec -> into.set(TABLE, "values", codec));
  }

  private boolean isCompressed() {
    return ini.peek(SECTION, "compress").filter(flag -> flag.equalsIgnoreCase("true")).isPresent();
  }

  private String compressor() {
    return isCompressed() ? ini.peek(SECTION, "compression_class").orElse("") : "";
  }

  /** Theirs travel as 32-bit numbers unless they are compressed. */
  private String indices() {
    String theirs = compressor();
    return theirs.startsWith("Elias")
        ? ""
        : ", indices = " + (theirs.equals("Lz4Wrapper") ? "\"lz4\"" : "\"raw\"");
  }

  private Optional<String> values() {
    String theirs = compressor();
    ini.take(SECTION, "compress");
    ini.take(SECTION, "compression_class");
    Optional<String> precision =
        ini.take(SECTION, "float_precision").filter(p -> !p.equals("None"));
    return switch (theirs) {
      case "", "Elias" -> Optional.empty();
      case "EliasFpzip" -> Optional.of("\"fpzip\"");
      case "EliasFpzipLossy" ->
          Optional.of("{kind = \"fpzip\", precision = %s}".formatted(precision.orElse("16")));
      // Its values stay as they are unless it is told otherwise, which no configuration can.
      case "Lz4Wrapper" -> Optional.empty();
      case "EliasQuantization", "Quantization" -> {
        into.lacks(
            SECTION,
            "compression_class",
            theirs,
            "its decoder scales by the mean and not by the largest magnitude, so that values shrink;"
                + " raw values are used, {kind = \"affine8\"} is the nearest");
        yield Optional.empty();
      }
      default -> {
        into.lacks(SECTION, "compression_class", theirs, "no such codec; raw values are used");
        yield Optional.empty();
      }
    };
  }
}
