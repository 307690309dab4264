package dev.grapevine.data.source;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.data.SequenceSet;
import dev.grapevine.data.Subset;
import dev.grapevine.data.Users;
import dev.grapevine.data.format.LeafReader;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The next character after 80, speaker by speaker. Without a folder: three plays from the jar, the
 * first 80 % of what a speaker says for training and the rest for testing, no window reaching over
 * the border. With a folder: LEAF's JSON.
 */
@Kind(
    name = "shakespeare",
    summary = "the next character after 80, by speaker: three plays in the jar, or LEAF's JSON",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018")
@Offer(access = Offer.Access.EMBEDDED, size = "164 KB", terms = "public domain")
public final class Shakespeare implements DataSource {

  private static final int LENGTH = 80;
  private static final double TRAIN_SHARE = 0.8;

  /**
   * @param folder LEAF's folder
   * @param stride characters between windows of the embedded plays
   * @param smallestSpeaker fewest samples of a speaker who is trained on
   * @param largestSpeaker most samples of one
   * @param testEvery which test samples are kept
   */
  public record Settings(
      @Doc("folder with LEAF's train/*.json and test/*.json; left out: the plays in the jar")
          Optional<String> folder,
      @Doc("characters from one window of the embedded plays to the next, 1 or more") @Default("1")
          int stride,
      @Doc("speakers with fewer samples, training and test together, are not trained on")
          @Default("0")
          int smallestSpeaker,
      @Doc("speakers with more samples, training and test together, are not trained on")
          @Default("2147483647")
          int largestSpeaker,
      @Doc("keep every so-manieth test sample, 1 or more") @Default("1") int testEvery) {
    public Settings {
      require(
          smallestSpeaker <= largestSpeaker,
          "largest-speaker",
          "largest-speaker must not be below smallest-speaker: smallest-speaker=%d, largest-speaker=%d"
              .formatted(smallestSpeaker, largestSpeaker));
      require(
          testEvery >= 1, "test-every", "test-every must be at least 1: test-every=" + testEvery);
      require(stride >= 1, "stride", "stride must be at least 1: stride=" + stride);
    }
  }

  private final Optional<SetFolder> folder;
  private final int stride;
  private final Settings settings;

  public Shakespeare(Settings settings, DataContext context) {
    folder =
        settings
            .folder()
            .map(asked -> SetFolder.of("shakespeare", Optional.of(asked), context, false));
    stride = settings.stride();
    this.settings = settings;
  }

  @Override
  public boolean present() {
    return folder.map(LeafFolder::present).orElse(true);
  }

  @Override
  public DataSplits load() {
    return filtered(
        folder
            .map(leaf -> new DataSplits(read(LeafFolder.train(leaf)), read(LeafFolder.test(leaf))))
            .orElseGet(this::embedded));
  }

  /** The speakers and test samples that the settings ask for. */
  private DataSplits filtered(DataSplits all) {
    boolean everybody =
        settings.smallestSpeaker() <= 0 && settings.largestSpeaker() == Integer.MAX_VALUE;
    if (everybody && settings.testEvery() == 1) {
      return all;
    }
    Map<String, Integer> samples = new HashMap<>();
    for (DataSet set : List.of(all.train(), all.test())) {
      for (int user : set.users().ofSample()) {
        samples.merge(set.users().names().get(user), 1, Integer::sum);
      }
    }
    Users speakers = all.train().users();
    int[] kept =
        IntStream.range(0, all.train().size())
            .filter(sample -> {
              int count =
                  samples.getOrDefault(speakers.names().get(speakers.ofSample()[sample]), 0);
              return count >= settings.smallestSpeaker() && count <= settings.largestSpeaker();
            })
            .toArray();
    if (kept.length == 0) {
      throw new UserException(
          "no speaker has from %d to %d samples; change smallest-speaker and largest-speaker of [data]"
              .formatted(settings.smallestSpeaker(), settings.largestSpeaker()));
    }
    int[] tested =
        IntStream.range(0, all.test().size())
            .filter(sample -> sample % settings.testEvery() == 0)
            .toArray();
    return new DataSplits(withoutEmptyUsers(all.train(), kept), new Subset(all.test(), tested));
  }

  /** Users without samples would be dealt to nodes all the same. */
  private static DataSet withoutEmptyUsers(DataSet set, int[] samples) {
    return new Subset(set, samples).withUsersRenumbered();
  }

  private DataSplits embedded() {
    Map<String, StringBuilder> speeches = new LinkedHashMap<>();
    new String(Embedded.content("shakespeare-3plays-speeches.tsv.gz"), StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> {
          String[] parts = line.split("\t", 3);
          speeches
              .computeIfAbsent(parts[0] + "/" + parts[1], speaker -> new StringBuilder())
              .append(parts[2].replace(" / ", "\n"))
              .append('\n');
        });
    Windows train = new Windows(stride);
    Windows test = new Windows(stride);
    speeches.forEach((speaker, text) -> {
      int border = (int) (text.length() * TRAIN_SHARE);
      train.add(speaker, text.substring(0, border));
      test.add(speaker, text.substring(border));
    });
    return new DataSplits(train.build(), test.build());
  }

  private static SequenceSet read(List<Path> files) {
    SequenceSet.Builder builder = builder();
    UserList users = new UserList();
    LeafSink.readAll(files, file -> new Sink(file, users, builder));
    return builder.build(users.build());
  }

  private static SequenceSet.Builder builder() {
    return new SequenceSet.Builder("shakespeare", LENGTH, Characters.COUNT, Characters.COUNT)
        .classNames(Characters::name);
  }

  private static int[] numbers(String text) {
    return text.chars().map(character -> Characters.number((char) character)).toArray();
  }

  /** Windows that slide over each speaker's text. */
  private static final class Windows {

    private final SequenceSet.Builder builder = builder();
    private final UserList users = new UserList();
    private final int stride;

    Windows(int stride) {
      this.stride = stride;
    }

    /** Speakers who say too little for one window are left out. */
    void add(String speaker, String text) {
      int[] numbers = numbers(text);
      for (int start = 0; start + LENGTH < numbers.length; start += stride) {
        builder.add(numbers, start, numbers[start + LENGTH]);
        users.add(users.number(speaker));
      }
    }

    SequenceSet build() {
      return builder.build(users.build());
    }
  }

  private static final class Sink extends LeafSink {

    private final SequenceSet.Builder builder;

    Sink(Path file, UserList users, SequenceSet.Builder builder) {
      super(file, users, Characters.COUNT);
      this.builder = builder;
    }

    @Override
    void store(JsonParser parser) {
      builder.add(numbers(text(parser, LENGTH)), 0, 0);
    }

    @Override
    int parseLabel(JsonParser parser) {
      return Characters.number(text(parser, 1).charAt(0));
    }

    @Override
    void label(int back, int label) {
      builder.label(builder.size() - back, label);
    }

    private String text(JsonParser parser, int length) {
      if (parser.currentToken() != JsonToken.VALUE_STRING
          || parser.getString().length() != length) {
        throw LeafReader.mistake(file, parser, "expected a text of length %d".formatted(length));
      }
      return parser.getString();
    }
  }
}
