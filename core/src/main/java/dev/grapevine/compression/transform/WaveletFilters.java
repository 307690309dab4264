package dev.grapevine.compression.transform;

import dev.grapevine.settings.SettingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A wavelet's two low-pass filters, of the same even length; the high-pass ones follow. */
final class WaveletFilters {

  private static final Map<String, WaveletFilters> TABLE = read();

  private final double[] decompose;
  private final double[] reconstruct;

  private WaveletFilters(double[] decompose, double[] reconstruct) {
    this.decompose = decompose;
    this.reconstruct = reconstruct;
  }

  static List<String> names() {
    return new ArrayList<>(TABLE.keySet());
  }

  static WaveletFilters named(String name) {
    WaveletFilters filters = TABLE.get(name);
    if (filters == null) {
      throw new SettingException(
          "wavelet",
          "unknown wavelet: wavelet=%s, known are %s"
              .formatted(name, String.join(", ", TABLE.keySet())));
    }
    return filters;
  }

  int length() {
    return decompose.length;
  }

  double[] decomposeLow() {
    return decompose.clone();
  }

  double[] decomposeHigh() {
    return alternate(reconstruct, -1);
  }

  double[] reconstructLow() {
    return reconstruct.clone();
  }

  double[] reconstructHigh() {
    return alternate(decompose, 1);
  }

  private static double[] alternate(double[] filter, int firstSign) {
    double[] result = new double[filter.length];
    for (int k = 0; k < filter.length; k++) {
      result[k] = (k % 2 == 0 ? firstSign : -firstSign) * filter[k];
    }
    return result;
  }

  private static Map<String, WaveletFilters> read() {
    Map<String, WaveletFilters> table = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(WaveletFilters.class.getResourceAsStream("wavelets.txt")),
                StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" ", -1))
          .forEach(part -> table.put(part[0], new WaveletFilters(parse(part[1]), parse(part[2]))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table;
  }

  private static double[] parse(String numbers) {
    return Arrays.stream(numbers.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }
}
