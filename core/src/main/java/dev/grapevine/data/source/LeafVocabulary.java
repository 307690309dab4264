package dev.grapevine.data.source;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.format.PickledTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Numbers for words, as LEAF makes them for Reddit.
 *
 * @param numbers the words that have one
 * @param size all numbers lie below it
 * @param rare the number of any other word
 * @param padding the number that fills a sequence up
 */
record LeafVocabulary(Map<String, Integer> numbers, int size, int rare, int padding) {

  private static final int LARGEST = 65_536;

  /** LEAF's file, beside the folders of samples or one above them. */
  static Optional<Path> file(Path folder) {
    return Stream.of("vocab/reddit_vocab.pck", "../vocab/reddit_vocab.pck", "reddit_vocab.pck")
        .map(name -> folder.resolve(name).normalize())
        .filter(Files::isRegularFile)
        .findFirst();
  }

  int number(String word) {
    return numbers.getOrDefault(word, rare);
  }

  /** Reads {@code reddit_vocab.pck}, which Python wrote: a table of words, and three numbers. */
  static LeafVocabulary read(Path file) {
    Object whole;
    try {
      whole = PickledTables.read(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UserException(file + " cannot be read: " + FileProblem.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new UserException("%s is no vocabulary of LEAF: %s".formatted(file, e.getMessage()), e);
    }
    if (!(whole instanceof Map<?, ?> table) || !(table.get("vocab") instanceof Map<?, ?> words)) {
      throw new UserException(file + " is no vocabulary of LEAF: it holds no table vocab");
    }
    int size = number(file, table, "size");
    int rare = number(file, table, "unk_symbol");
    int padding = number(file, table, "pad_symbol");
    Map<String, Integer> numbers = new HashMap<>();
    words.forEach((word, number) -> {
      if (word instanceof String text && number instanceof Long value) {
        numbers.put(text, inRange(file, text, value, size));
      }
    });
    inRange(file, "unk_symbol", rare, size);
    inRange(file, "pad_symbol", padding, size);
    return new LeafVocabulary(numbers, size, rare, padding);
  }

  private static int number(Path file, Map<?, ?> table, String key) {
    if (table.get(key) instanceof Long value && value >= 0 && value <= LARGEST) {
      return value.intValue();
    }
    throw new UserException(
        "%s is no vocabulary of LEAF: %s is not a number from 0 to %d"
            .formatted(file, key, LARGEST));
  }

  private static int inRange(Path file, String word, long number, int size) {
    if (number < 0 || number >= size) {
      throw new UserException(
          "%s: the number of \"%s\" is out of range: number=%d, size=%d"
              .formatted(file, word, number, size));
    }
    return (int) number;
  }
}
