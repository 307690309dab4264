package dev.grapevine.data.source;

import java.util.Arrays;

/**
 * Numbers for characters: 92 as in the original's model, of which 90 are the printable ASCII
 * characters that occur in plays, line feed and carriage return included; one stands for any other
 * character and one is spare.
 */
final class Characters {

  static final int COUNT = 92;

  private static final int UNKNOWN = 90;
  private static final String ABSENT = "+=\\^`|~";
  private static final int[] NUMBERS = numbers();

  private Characters() {}

  static int number(char character) {
    return character < NUMBERS.length ? NUMBERS[character] : UNKNOWN;
  }

  /** What a number stands for, in a form that can be printed. */
  static String name(int number) {
    for (char character = 0; character < NUMBERS.length; character++) {
      if (NUMBERS[character] == number && number != UNKNOWN) {
        return switch (character) {
          case '\n' -> "\\n";
          case '\r' -> "\\r";
          case ' ' -> "space";
          default -> Character.toString(character);
        };
      }
    }
    return number == UNKNOWN ? "other" : "unused";
  }

  private static int[] numbers() {
    int[] numbers = new int[128];
    Arrays.fill(numbers, UNKNOWN);
    int next = 0;
    numbers['\n'] = next++;
    numbers['\r'] = next++;
    for (char character = ' '; character < 127; character++) {
      if (ABSENT.indexOf(character) < 0) {
        numbers[character] = next++;
      }
    }
    return numbers;
  }
}
