package dev.grapevine.app.console;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of a shell's command line. */
public final class ShellWord {

  private static final Pattern HARMLESS = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /** A word that the shell takes as it is, in quotes if it needs them. */
  public static String quote(String word) {
    return HARMLESS.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** A whole command. */
  public static String quote(List<String> words) {
    return words.stream().map(ShellWord::quote).collect(Collectors.joining(" "));
  }
}
