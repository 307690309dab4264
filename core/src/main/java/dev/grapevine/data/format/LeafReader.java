package dev.grapevine.data.format;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads LEAF's JSON, {@code {"users": [...], "num_samples": [...], "user_data": {user: {"x": [...],
 * "y": [...]}}}}, as a stream: of a file of any size no more than one value is held at a time. The
 * order of the keys does not matter.
 */
public final class LeafReader {

  /** Takes what the file holds, in the file's order. */
  public interface Sink {

    /** The values that follow are this user's. */
    void user(String name);

    /** One element of the user's {@code x}; the parser stands on its first token. */
    void input(JsonParser parser);

    /** One element of the user's {@code y}; the parser stands on its first token. */
    void target(JsonParser parser);

    /** The user's values are complete; as many inputs came as targets. */
    void end();
  }

  private static final JsonFactory JSON = JsonFactory.builder().build();

  private final Path file;
  private final Sink sink;
  private final List<String> users = new ArrayList<>();
  private final List<Integer> announced = new ArrayList<>();
  private final Map<String, Integer> found = new HashMap<>();
  private boolean complete;

  private LeafReader(Path file, Sink sink) {
    this.file = file;
    this.sink = sink;
  }

  public static void read(Path file, Sink sink) {
    LeafReader reader = new LeafReader(file, sink);
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), file)) {
      reader.read(parser);
    } catch (JacksonException damaged) {
      throw mistake(file, damaged.getLocation(), damaged.getOriginalMessage());
    }
  }

  /** A message about the value the parser stands on. */
  public static UserException mistake(Path file, JsonParser parser, String what) {
    return mistake(file, parser.currentTokenLocation(), what);
  }

  private static UserException mistake(
      Path file, @Nullable TokenStreamLocation where, String what) {
    String position =
        where == null ? "" : ":%d:%d".formatted(where.getLineNr(), where.getColumnNr());
    return new UserException(
        "%s%s: not LEAF's JSON: %s; make or copy the file again".formatted(file, position, what));
  }

  private void read(JsonParser parser) {
    expect(parser, parser.nextToken(), JsonToken.START_OBJECT);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      expect(parser, parser.currentToken(), JsonToken.PROPERTY_NAME);
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (key) {
        case "users" -> {
          expect(parser, value, JsonToken.START_ARRAY);
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            users.add(parser.getValueAsString(""));
          }
        }
        case "num_samples" -> {
          expect(parser, value, JsonToken.START_ARRAY);
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            expect(parser, parser.currentToken(), JsonToken.VALUE_NUMBER_INT);
            announced.add(parser.getIntValue());
          }
        }
        case "user_data" -> {
          expect(parser, value, JsonToken.START_OBJECT);
          while (parser.nextToken() != JsonToken.END_OBJECT) {
            expect(parser, parser.currentToken(), JsonToken.PROPERTY_NAME);
            user(parser, parser.currentName());
          }
          complete = true;
        }
        default -> parser.skipChildren();
      }
    }
    check(parser);
  }

  private void user(JsonParser parser, String name) {
    sink.user(name);
    int inputs = 0;
    int targets = 0;
    expect(parser, parser.nextToken(), JsonToken.START_OBJECT);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      expect(parser, parser.currentToken(), JsonToken.PROPERTY_NAME);
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      if (!key.equals("x") && !key.equals("y")) {
        parser.skipChildren();
        continue;
      }
      expect(parser, value, JsonToken.START_ARRAY);
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (parser.currentToken() == null) {
          throw mistake(file, parser, "the file ends within " + key);
        }
        if (key.equals("x")) {
          sink.input(parser);
          inputs++;
        } else {
          sink.target(parser);
          targets++;
        }
      }
    }
    if (inputs != targets) {
      throw mistake(
          file,
          parser,
          "a user needs as many x as y: user=%s, x=%d, y=%d".formatted(name, inputs, targets));
    }
    if (found.put(name, inputs) != null) {
      throw mistake(file, parser, "a user comes twice: user=" + name);
    }
    sink.end();
  }

  private void check(JsonParser parser) {
    if (!complete) {
      throw mistake(file, parser, "there is no user_data");
    }
    if (users.size() != announced.size()) {
      // Files split by hand often keep only user_data; then there is nothing to compare.
      if (!users.isEmpty() && !announced.isEmpty()) {
        throw mistake(
            file,
            parser,
            "users=%d does not fit num_samples=%d".formatted(users.size(), announced.size()));
      }
      return;
    }
    for (int i = 0; i < users.size(); i++) {
      int samples = found.getOrDefault(users.get(i), 0);
      if (samples != announced.get(i)) {
        throw mistake(
            file,
            parser,
            "user %s has %d samples, but num_samples says %d"
                .formatted(users.get(i), samples, announced.get(i)));
      }
    }
  }

  private void expect(JsonParser parser, @Nullable JsonToken found, JsonToken wanted) {
    if (found == null) {
      throw mistake(file, parser, "the file ends too early");
    }
    if (found != wanted) {
      throw mistake(file, parser, "expected %s, but found %s".formatted(wanted, found));
    }
  }
}
