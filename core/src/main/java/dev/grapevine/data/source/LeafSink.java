package dev.grapevine.data.source;

import dev.grapevine.data.format.LeafReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Turns the values of LEAF files into samples, for sets where an element of {@code x} is a sample
 * and an element of {@code y} its class. Inputs are stored as they come; a user's labels follow
 * when they are complete.
 */
abstract class LeafSink implements LeafReader.Sink {

  final Path file;
  private final UserList users;
  private final int classes;
  private int user;
  private int inputs;
  private int targets;
  private int[] labels = new int[64];

  LeafSink(Path file, UserList users, int classes) {
    this.file = file;
    this.users = users;
    this.classes = classes;
  }

  /** Stores the sample that the parser stands on, without its label. */
  abstract void store(JsonParser parser);

  /** Sets the label of the {@code back}-th last sample that was stored. */
  abstract void label(int back, int label);

  /** The label that the parser stands on. */
  int parseLabel(JsonParser parser) {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw LeafReader.mistake(
          file, parser, "a label must be a whole number, but is " + parser.currentToken());
    }
    return parser.getIntValue();
  }

  @Override
  public final void user(String name) {
    user = users.number(name);
    inputs = 0;
    targets = 0;
  }

  @Override
  public final void input(JsonParser parser) {
    store(parser);
    users.add(user);
    inputs++;
  }

  @Override
  public final void target(JsonParser parser) {
    int label = parseLabel(parser);
    if (label < 0 || label >= classes) {
      throw LeafReader.mistake(
          file, parser, "label out of range: label=%d, classes=%d".formatted(label, classes));
    }
    if (targets == labels.length) {
      labels = Arrays.copyOf(labels, targets * 2);
    }
    labels[targets++] = label;
  }

  @Override
  public final void end() {
    for (int i = 0; i < targets; i++) {
      label(inputs - i, labels[i]);
    }
  }

  /** Reads one array of numbers or strings, value by value, and checks its length. */
  final void array(JsonParser parser, int length, Runnable value) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw LeafReader.mistake(
          file, parser, "an input must be an array, but is " + parser.currentToken());
    }
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (count++ == length || parser.currentToken() == null) {
        throw LeafReader.mistake(
            file, parser, "an input must have exactly %d values".formatted(length));
      }
      value.run();
    }
    if (count != length) {
      throw LeafReader.mistake(
          file, parser, "an input has %d values instead of %d".formatted(count, length));
    }
  }

  /** Reads all files with sinks of one kind. */
  static void readAll(List<Path> files, java.util.function.Function<Path, LeafSink> sinkFor) {
    for (Path file : files) {
      LeafReader.read(file, sinkFor.apply(file));
    }
  }
}
