package dev.grapevine.data;

import java.util.List;

/**
 * Who wrote, drew or rated each sample.
 *
 * @param names one name per user
 * @param ofSample for each sample, the number of its user
 */
public record Users(List<String> names, int[] ofSample) {

  /** The users of a set whose samples stem from nobody in particular. */
  public static final Users NONE = new Users(List.of(), new int[0]);

  public Users {
    names = List.copyOf(names);
  }

  public boolean present() {
    return !names.isEmpty();
  }

  public int count() {
    return names.size();
  }
}
