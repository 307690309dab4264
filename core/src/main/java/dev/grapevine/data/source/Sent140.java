package dev.grapevine.data.source;

import static dev.grapevine.settings.SettingException.require;

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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Is this tweet glad or sad, author by author. LEAF's JSON has for each tweet its number, date,
 * query, author and text; the text is cut into words and marks as LEAF does, lower-cased, and its
 * first 25 become numbers of the training files' most frequent words. The last number stands for
 * rare words and for what a short tweet lacks, as in LEAF.
 */
@Kind(
    name = "sent140",
    summary = "tweets by author: 25 words, glad or sad",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018")
@Offer(
    access = Offer.Access.OWN_FILES,
    size = "about 60 bytes per sample in memory",
    terms = "Sentiment140; made with LEAF's scripts")
public final class Sent140 implements DataSource {

  private static final int LENGTH = 25;
  private static final int CLASSES = 2;
  private static final int MOST_WORDS = 65_536;
  private static final Pattern TOKEN =
      Pattern.compile("[\\w']+|[.,!?;]", Pattern.UNICODE_CHARACTER_CLASS);

  /**
   * @param folder LEAF's folder
   * @param words size of the vocabulary
   */
  public record Settings(
      @Doc("folder with LEAF's train/*.json and test/*.json; left out: sent140 in the cache")
          Optional<String> folder,
      @Doc("size of the vocabulary, 2 to 65536") @Default("10000") int words) {
    public Settings {
      require(
          words >= 2 && words <= MOST_WORDS,
          "words",
          "words must be from 2 to %d: words=%d".formatted(MOST_WORDS, words));
    }
  }

  private final SetFolder folder;
  private final int words;

  public Sent140(Settings settings, DataContext context) {
    folder = SetFolder.of("sent140", settings.folder(), context, false);
    words = settings.words();
  }

  @Override
  public boolean present() {
    return LeafFolder.present(folder);
  }

  @Override
  public DataSplits load() {
    WordCounts counts = new WordCounts();
    LeafSink.readAll(LeafFolder.train(folder), file -> new Counter(file, counts));
    Map<String, Integer> vocabulary = counts.numbers(0, words - 1);
    return new DataSplits(
        read(LeafFolder.train(folder), vocabulary), read(LeafFolder.test(folder), vocabulary));
  }

  private SequenceSet read(List<Path> files, Map<String, Integer> vocabulary) {
    SequenceSet.Builder builder = new SequenceSet.Builder("sent140", LENGTH, words, CLASSES);
    UserList users = new UserList();
    LeafSink.readAll(files, file -> new Numberer(file, users, builder, vocabulary, words - 1));
    return builder.build(users.build());
  }

  /** The tweet itself is the fifth of its fields; a bare text is taken too. */
  private static String text(Path file, JsonParser parser) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw LeafReader.mistake(file, parser, "a tweet must be an array of its fields");
    }
    String text = "";
    int field = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == null || !parser.currentToken().isScalarValue()) {
        throw LeafReader.mistake(file, parser, "a tweet's fields must be texts");
      }
      if (field++ == 4) {
        text = parser.getString();
      }
    }
    if (field < 5) {
      throw LeafReader.mistake(
          file, parser, "a tweet has number, date, query, author and text: fields=" + field);
    }
    return text.toLowerCase(Locale.ROOT);
  }

  private static final class Counter extends LeafSink {

    private final WordCounts counts;

    Counter(Path file, WordCounts counts) {
      super(file, new UserList(), CLASSES);
      this.counts = counts;
    }

    @Override
    void store(JsonParser parser) {
      Matcher tokens = TOKEN.matcher(text(file, parser));
      while (tokens.find()) {
        counts.add(tokens.group());
      }
    }

    @Override
    void label(int back, int label) {}
  }

  private static final class Numberer extends LeafSink {

    private final SequenceSet.Builder builder;
    private final Map<String, Integer> vocabulary;
    private final int unknown;
    private final int[] numbers = new int[LENGTH];

    Numberer(
        Path file,
        UserList users,
        SequenceSet.Builder builder,
        Map<String, Integer> vocabulary,
        int unknown) {
      super(file, users, CLASSES);
      this.builder = builder;
      this.vocabulary = vocabulary;
      this.unknown = unknown;
    }

    @Override
    void store(JsonParser parser) {
      Matcher tokens = TOKEN.matcher(text(file, parser));
      for (int i = 0; i < LENGTH; i++) {
        numbers[i] = tokens.find() ? vocabulary.getOrDefault(tokens.group(), unknown) : unknown;
      }
      builder.add(numbers, 0, 0);
    }

    @Override
    void label(int back, int label) {
      builder.label(builder.size() - back, label);
    }
  }
}
