package dev.grapevine.data.source;

import dev.grapevine.UserException;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.RatingSet;
import dev.grapevine.data.Users;
import dev.grapevine.random.SplitMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Collects ratings and splits them user by user: 70 % (rounded up, so at least one) for training
 * and the rest for testing, at random. Users and items are renumbered in the order of their ids.
 */
final class Ratings {

  private static final double TRAIN_SHARE = 0.7;
  private static final int MOST_HALF_STARS = 10;

  private final String set;
  private int[] users = new int[1 << 12];
  private int[] items = new int[1 << 12];
  private byte[] halfStars = new byte[1 << 12];
  private int size;

  Ratings(String set) {
    this.set = set;
  }

  /** Adds a line's fields; {@code where} is file and line for messages. */
  void add(String user, String item, String stars, String where) {
    if (size == users.length) {
      users = Arrays.copyOf(users, size * 2);
      items = Arrays.copyOf(items, size * 2);
      halfStars = Arrays.copyOf(halfStars, size * 2);
    }
    try {
      double halves = Double.parseDouble(stars) * 2;
      if (halves != Math.rint(halves) || halves < 1 || halves > MOST_HALF_STARS) {
        throw new UserException(
            "%s: a rating must be 0.5 to 5 in halves: rating=%s".formatted(where, stars));
      }
      users[size] = Integer.parseInt(user);
      items[size] = Integer.parseInt(item);
      halfStars[size] = (byte) halves;
    } catch (NumberFormatException damaged) {
      throw new UserException(
          "%s: expected user, item and rating as numbers: user=%s, item=%s, rating=%s; fetch or copy the file again"
              .formatted(where, user, item, stars),
          damaged);
    }
    size++;
  }

  DataSplits split(long seed) {
    if (size == 0) {
      throw new UserException(set + ": there are no ratings in the file");
    }
    TreeMap<Integer, List<Integer>> ofUser = new TreeMap<>();
    TreeMap<Integer, Integer> itemNumbers = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      ofUser.computeIfAbsent(users[i], user -> new ArrayList<>()).add(i);
      itemNumbers.put(items[i], 0);
    }
    int next = 0;
    for (var entry : itemNumbers.entrySet()) {
      entry.setValue(next++);
    }
    List<String> names = ofUser.keySet().stream().map(String::valueOf).toList();
    Part train = new Part();
    Part test = new Part();
    int number = 0;
    for (var entry : ofUser.entrySet()) {
      List<Integer> own = entry.getValue();
      int[] order =
          SplitMix.permutation(own.size(), new SplitMix(SplitMix.mix(seed, entry.getKey())));
      int border = (int) Math.ceil(own.size() * TRAIN_SHARE);
      for (int i = 0; i < order.length; i++) {
        int rating = own.get(order[i]);
        (i < border ? train : test)
            .add(number, itemNumbers.getOrDefault(items[rating], 0), halfStars[rating]);
      }
      number++;
    }
    return new DataSplits(
        train.build(set, names, itemNumbers.size()), test.build(set, names, itemNumbers.size()));
  }

  /** The ratings of one side of the split. */
  private static final class Part {

    private int[] users = new int[1 << 10];
    private int[] items = new int[1 << 10];
    private byte[] halfStars = new byte[1 << 10];
    private int size;

    void add(int user, int item, byte rating) {
      if (size == users.length) {
        users = Arrays.copyOf(users, size * 2);
        items = Arrays.copyOf(items, size * 2);
        halfStars = Arrays.copyOf(halfStars, size * 2);
      }
      users[size] = user;
      items[size] = item;
      halfStars[size++] = rating;
    }

    RatingSet build(String set, List<String> names, int itemCount) {
      return new RatingSet(
          set,
          itemCount,
          new Users(names, Arrays.copyOf(users, size)),
          Arrays.copyOf(items, size),
          Arrays.copyOf(halfStars, size));
    }
  }
}
