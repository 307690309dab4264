package dev.grapevine.data.source;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the most frequent words; ties go by the alphabet, so that the result is unique. */
final class WordCounts {

  private final Map<String, int[]> counts = new HashMap<>();

  void add(String word) {
    counts.computeIfAbsent(word, added -> new int[1])[0]++;
  }

  /** The numbers from {@code first} on for the {@code limit} most frequent words. */
  Map<String, Integer> numbers(int first, int limit) {
    List<String> words =
        counts.entrySet().stream()
            .sorted(
                Comparator.<Map.Entry<String, int[]>>comparingInt(entry -> -entry.getValue()[0])
                    .thenComparing(Map.Entry::getKey))
            .limit(limit)
            .map(Map.Entry::getKey)
            .toList();
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < words.size(); i++) {
      numbers.put(words.get(i), first + i);
    }
    return numbers;
  }
}
