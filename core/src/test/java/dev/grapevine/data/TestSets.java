package dev.grapevine.data;

import dev.grapevine.random.SplitMix;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Small sets whose every sample is told apart by its only value, its number. */
public final class TestSets {

  private TestSets() {}

  /** Samples of random classes and, when there are any, random users. */
  public static DataSet labelled(int samples, int classes, int users, long seed) {
    SplitMix random = new SplitMix(seed);
    float[] values = new float[samples];
    float[] labels = new float[samples];
    int[] userOf = new int[users == 0 ? 0 : samples];
    for (int i = 0; i < samples; i++) {
      values[i] = i;
      labels[i] = random.nextInt(classes);
      if (users > 0) {
        // The first samples make sure that nobody is without one.
        userOf[i] = i < users ? i : Math.min(random.nextInt(users), random.nextInt(users));
      }
    }
    return new VectorSet(
        "test",
        1,
        IntStream.range(0, classes).mapToObj(Integer::toString).toList(),
        values,
        labels,
        users == 0
            ? Users.NONE
            : new Users(IntStream.range(0, users).mapToObj(u -> "user" + u).toList(), userOf));
  }

  /** A set of values to approximate. */
  public static DataSet values(int samples) {
    return new VectorSet(
        "values", 1, List.of(), new float[samples], new float[samples], Users.NONE);
  }

  public static DataContext context(Path folder) {
    return new DataContext(folder, 7, folder);
  }
}
