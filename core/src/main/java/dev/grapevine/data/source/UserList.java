package dev.grapevine.data.source;

import dev.grapevine.data.Users;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects whose each sample is, in the order of the samples. */
final class UserList {

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private int[] ofSample = new int[1024];
  private int samples;

  /** The user's number, a new one for a new name. */
  int number(String name) {
    return numbers.computeIfAbsent(
        name,
        added -> {
          names.add(added);
          return names.size() - 1;
        });
  }

  /** The next sample is this user's. */
  void add(int user) {
    if (samples == ofSample.length) {
      ofSample = Arrays.copyOf(ofSample, samples * 2);
    }
    ofSample[samples++] = user;
  }

  Users build() {
    return new Users(names, Arrays.copyOf(ofSample, samples));
  }
}
