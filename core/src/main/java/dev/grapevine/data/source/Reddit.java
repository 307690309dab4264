package dev.grapevine.data.source;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.data.SequenceSet;
import dev.grapevine.data.format.LeafReader;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The next word after ten, author by author. LEAF's JSON has for each comment sequences of ten
 * tokens and, under {@code target_tokens}, the same shifted by one; the target is the last of those
 * that is not padding, and a sequence without one is left out. The vocabulary is LEAF's own, or
 * counted anew from the training files, number 0 being padding and 1 any rare word.
 */
@Kind(
    name = "reddit",
    summary = "the next word after ten, by author: 9,999 words",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018")
@Offer(
    access = Offer.Access.OWN_FILES,
    size = "about 40 bytes per sample in memory",
    terms = "Reddit's terms; made with LEAF's scripts")
public final class Reddit implements DataSource {

  static final int LENGTH = 10;
  static final int WORDS = 9_999;

  private static final int PADDING = 0;
  private static final int RARE = 1;
  private static final String PADDING_TOKEN = "<PAD>";

  /**
   * @param folder LEAF's folder
   * @param vocabulary where the numbers of words come from
   */
  public record Settings(
      @Doc("folder with LEAF's train/*.json and test/*.json; left out: reddit in the cache")
          Optional<String> folder,
      @Doc(
              "counted: the most frequent words of the training files; leaf: LEAF's own, from"
                  + " vocab/reddit_vocab.pck in the folder")
          @Default("counted")
          Vocabulary vocabulary) {}

  /** Where the numbers of words come from. */
  public enum Vocabulary {
    COUNTED,
    LEAF
  }

  private final SetFolder folder;
  private final Vocabulary vocabulary;

  public Reddit(Settings settings, DataContext context) {
    folder = SetFolder.of("reddit", settings.folder(), context, false);
    vocabulary = settings.vocabulary();
  }

  @Override
  public boolean present() {
    return LeafFolder.present(folder)
        && (vocabulary == Vocabulary.COUNTED || LeafVocabulary.file(folder.path()).isPresent());
  }

  @Override
  public DataSplits load() {
    LeafVocabulary words =
        switch (vocabulary) {
          case COUNTED -> new LeafVocabulary(count(LeafFolder.train(folder)), WORDS, RARE, PADDING);
          case LEAF ->
              LeafVocabulary.read(
                  LeafVocabulary.file(folder.path())
                      .orElseThrow(() -> folder.missing("vocab/reddit_vocab.pck")));
        };
    return new DataSplits(
        read(LeafFolder.train(folder), words), read(LeafFolder.test(folder), words));
  }

  private static Map<String, Integer> count(List<Path> files) {
    WordCounts counts = new WordCounts();
    for (Path file : files) {
      LeafReader.read(
          file,
          new Sink(file) {
            @Override
            void sequence(String user, String[] words, String target) {
              for (String word : words) {
                if (!word.equals(PADDING_TOKEN)) {
                  counts.add(word);
                }
              }
            }
          });
    }
    Map<String, Integer> numbers = counts.numbers(RARE + 1, WORDS - RARE - 1);
    numbers.put(PADDING_TOKEN, PADDING);
    return numbers;
  }

  private static SequenceSet read(List<Path> files, LeafVocabulary vocabulary) {
    SequenceSet.Builder builder =
        new SequenceSet.Builder("reddit", LENGTH, vocabulary.size(), vocabulary.size());
    UserList users = new UserList();
    int[] numbers = new int[LENGTH];
    for (Path file : files) {
      LeafReader.read(
          file,
          new Sink(file) {
            @Override
            void sequence(String user, String[] words, String target) {
              for (int i = 0; i < LENGTH; i++) {
                numbers[i] = vocabulary.number(words[i]);
              }
              int label = vocabulary.number(target);
              if (label != vocabulary.padding()) {
                builder.add(numbers, 0, label);
                users.add(users.number(user));
              }
            }
          });
    }
    return builder.build(users.build());
  }

  /** Pairs the sequences of one author's comments with their targets. */
  private abstract static class Sink implements LeafReader.Sink {

    private final Path file;
    private String user = "";
    private final List<List<String[]>> inputs = new ArrayList<>();
    private final List<List<String[]>> targets = new ArrayList<>();

    Sink(Path file) {
      this.file = file;
    }

    abstract void sequence(String user, String[] words, String target);

    @Override
    public void user(String name) {
      user = name;
      inputs.clear();
      targets.clear();
    }

    @Override
    public void input(JsonParser parser) {
      inputs.add(sequences(parser));
    }

    @Override
    public void target(JsonParser parser) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw LeafReader.mistake(file, parser, "a comment's y must be an object");
      }
      List<String[]> found = List.of();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = parser.currentName();
        parser.nextToken();
        if (key.equals("target_tokens")) {
          found = sequences(parser);
        } else {
          parser.skipChildren();
        }
      }
      targets.add(found);
    }

    @Override
    public void end() {
      for (int comment = 0; comment < inputs.size(); comment++) {
        List<String[]> x = inputs.get(comment);
        List<String[]> y = targets.get(comment);
        if (x.size() != y.size()) {
          throw new dev.grapevine.UserException(
              "%s: user %s, comment %d: sequences do not fit target_tokens: x=%d, y=%d"
                  .formatted(file, user, comment, x.size(), y.size()));
        }
        for (int i = 0; i < x.size(); i++) {
          sequence(user, x.get(i), lastWord(y.get(i)));
        }
      }
    }

    private static String lastWord(String[] words) {
      for (int i = words.length - 1; i >= 0; i--) {
        if (!words[i].equals(PADDING_TOKEN)) {
          return words[i];
        }
      }
      return PADDING_TOKEN;
    }

    private List<String[]> sequences(JsonParser parser) {
      expect(parser, JsonToken.START_ARRAY);
      List<String[]> sequences = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        expect(parser, JsonToken.START_ARRAY);
        String[] words = new String[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
          parser.nextToken();
          expect(parser, JsonToken.VALUE_STRING);
          words[i] = parser.getString();
        }
        parser.nextToken();
        expect(parser, JsonToken.END_ARRAY);
        sequences.add(words);
      }
      return sequences;
    }

    private void expect(JsonParser parser, JsonToken wanted) {
      if (parser.currentToken() != wanted) {
        throw LeafReader.mistake(
            file,
            parser,
            "expected lists of %d tokens (%s), but found %s"
                .formatted(LENGTH, wanted, parser.currentToken()));
      }
    }
  }
}
