package dev.grapevine.settings;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses what a misspelt name was meant to be. */
public final class Nearest {

  private Nearest() {}

  /** The name that is closest by spelling, if one is close. */
  public static Optional<String> to(String word, Collection<String> names) {
    String given = plain(word);
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String name : names) {
      String candidate = plain(name);
      int distance = distance(given, candidate);
      boolean contains =
          given.length() >= 3 && (candidate.contains(given) || given.contains(candidate));
      int limit = Math.max(1, Math.max(given.length(), candidate.length()) / 3);
      int score = contains ? Math.min(distance, limit) : distance;
      if (score <= limit && score < bestDistance) {
        best = name;
        bestDistance = score;
      }
    }
    return Optional.ofNullable(best);
  }

  /** A clause that names the guess, or all names when there is no good guess. */
  public static String hint(String word, Collection<String> names) {
    return to(word, names)
        .map(name -> "; did you mean \"" + name + "\"?")
        .orElseGet(() ->
            names.isEmpty() ? "; there are none" : "; there are: " + String.join(", ", names));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "").replace(" ", "");
  }

  /** Damerau-Levenshtein distance (optimal string alignment). */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
