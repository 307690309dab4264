package dev.grapevine.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.TestSets;
import dev.grapevine.data.format.Mutations;
import dev.grapevine.engine.Batch;
import dev.grapevine.random.SplitMix;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files in exactly the layout that LEAF's scripts write. */
class LeafSetsTest {

  @TempDir Path folder;

  private DataContext context;

  @BeforeEach
  void makeContext() {
    context = TestSets.context(folder);
  }

  @Test
  void femnistIsBytesByWriter() throws IOException {
    String image = pixels("0.2");
    write(
        "femnist/data/train/all_data_0_niid_0_keep_0_train_9.json",
        """
        {"users": ["f0000_14", "f0001_41"], "num_samples": [2, 1], "user_data": {
          "f0000_14": {"x": [%s, %s], "y": [4, 61]}, "f0001_41": {"x": [%s], "y": [0]}}}
        """
            .formatted(image, pixels("1.0"), image));
    write("femnist/data/test/t.json", user("f0000_14", image, "35"));
    DataSplits splits = femnist().load();
    DataSet train = splits.train();
    assertThat(train.size()).isEqualTo(3);
    assertThat(train.classes()).isEqualTo(62);
    assertThat(train.className(61)).isEqualTo("z");
    assertThat(train.users().names()).containsExactly("f0000_14", "f0001_41");
    assertThat(train.users().ofSample()).containsExactly(0, 0, 1);
    assertThat(IntStream.range(0, 3).map(train::label)).containsExactly(4, 61, 0);
    Batch batch = train.batch(1);
    train.read(0, batch, 0);
    assertThat(batch.inputs()).containsOnly(0.2f);
    assertThat(splits.test().label(0)).isEqualTo(35);
  }

  @Test
  void femnistSaysWhatIsWrong() throws IOException {
    assertThatThrownBy(() -> femnist().load())
        .hasMessageContaining("femnist is not here: missing train/*.json");
    assertFemnistWrong(user("u", pixels("0.5"), "62"), "label out of range: label=62, classes=62");
    assertFemnistWrong(user("u", pixels("0.5"), "\"a\""), "a label must be a whole number");
    assertFemnistWrong(user("u", pixels("1.5"), "1"), "from 0 to 1: pixel=1.5");
    assertFemnistWrong(user("u", pixels("\"a\""), "1"), "from 0 to 1: pixel=a");
    assertFemnistWrong(user("u", "[1, 0]", "1"), "2 values instead of 784");
    assertFemnistWrong(user("u", "3", "1"), "an input must be an array");
    assertFemnistWrong(user("u", pixels("0.5"), "1").substring(0, 500), "bad.json:");
  }

  @Test
  void mutatedFemnistFilesAreReadOrRefused() throws IOException {
    byte[] good = user("u", pixels("0.5"), "7").getBytes(StandardCharsets.UTF_8);
    write("femnist/test/t.json", user("u", pixels("0.5"), "7"));
    Path file = folder.resolve("femnist/train/m.json");
    Files.createDirectories(file.getParent());
    SplitMix random = new SplitMix(12);
    int refused = 0;
    for (int trial = 0; trial < 600; trial++) {
      Files.write(file, Mutations.of(good, random));
      try {
        femnist().load();
      } catch (UserException expected) {
        assertThat(expected).hasMessageContaining("m.json");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(200);
  }

  @Test
  void celebaReadsPicturesByName() throws IOException {
    BufferedImage picture = new BufferedImage(178, 218, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < 218; y++) {
      for (int x = 0; x < 178; x++) {
        picture.setRGB(x, y, 0xff0000);
      }
    }
    Path images = Files.createDirectories(folder.resolve("celeba/data/raw/img_align_celeba"));
    ImageIO.write(picture, "png", images.resolve("000001.png").toFile());
    ImageIO.write(picture, "jpg", images.resolve("000002.jpg").toFile());
    write(
        "celeba/data/train/a.json",
        """
        {"users": ["1757"], "num_samples": [2],
         "user_data": {"1757": {"x": ["000001.jpg", "000002.jpg"], "y": [1, 0]}}}
        """);
    write("celeba/data/test/a.json", user("2", "\"000001.jpg\"", "1"));
    CelebA celeba = celeba(CelebA.Pixels.BYTES);
    assertThat(celeba.present()).isTrue();
    DataSet train = celeba.load().train();
    assertThat(train.inputShape()).containsExactly(3, 84, 84);
    assertThat(train.classes()).isEqualTo(2);
    assertThat(IntStream.range(0, 2).map(train::label)).containsExactly(1, 0);
    Batch batch = train.batch(1);
    train.read(0, batch, 0);
    assertThat(batch.inputs()[0]).isCloseTo(255f, within(1e-4f));
    assertThat(batch.inputs()[84 * 84]).isEqualTo(0f);
    celeba(CelebA.Pixels.SCALED).load().train().read(0, batch, 0);
    assertThat(batch.inputs()[0]).isEqualTo(1f);
    assertThat(batch.inputs()[84 * 84]).isEqualTo(-1f);
    write("celeba/data/test/a.json", user("2", "\"000009.jpg\"", "1"));
    assertThatThrownBy(celeba::load).hasMessageContaining("there is no picture 000009.jpg");
    write("celeba/data/test/a.json", user("2", "\"../../../secret\"", "1"));
    assertThatThrownBy(celeba::load).hasMessageContaining("there is no picture");
    Path cut = images.resolve("000001.png");
    Files.write(cut, java.util.Arrays.copyOf(Files.readAllBytes(cut), 100));
    assertThatThrownBy(celeba::load).hasMessageContaining("000001.png: damaged image");
  }

  private CelebA celeba(CelebA.Pixels pixels) {
    return new CelebA(new CelebA.Settings(Optional.empty(), Optional.empty(), pixels), context);
  }

  /** As the thesis does: speakers of a certain size, and every so-manieth test sample. */
  @Test
  void shakespeareLeavesSpeakersOut() throws IOException {
    String window = "\"" + "a".repeat(80) + "\"";
    write("some/train/a.json", user("small", window, "\"a\""));
    write("some/train/b.json", users("middle", window, 2));
    write("some/train/c.json", users("large", window, 4));
    write("some/test/a.json", users("large", window, 5));
    DataSplits splits =
        new Shakespeare(new Shakespeare.Settings(Optional.of("some"), 1, 2, 3, 2), context).load();
    assertThat(splits.train().size()).isEqualTo(2);
    assertThat(splits.train().users().names()).containsExactly("middle");
    assertThat(splits.test().size()).isEqualTo(3);
    assertThatThrownBy(() ->
            new Shakespeare(new Shakespeare.Settings(Optional.of("some"), 1, 50, 60, 2), context)
                .load())
        .hasMessageContaining("no speaker has from 50 to 60 samples");
  }

  private static String users(String name, String input, int samples) {
    return user(
            name,
            String.join(",", java.util.Collections.nCopies(samples, input)),
            String.join(",", java.util.Collections.nCopies(samples, "\"a\"")))
        .replaceFirst("\"num_samples\": \\[1\\]", "\"num_samples\": [" + samples + "]");
  }

  @Test
  void shakespeareReadsLeafsWindows() throws IOException {
    String text =
        "Yonder comes my master, your brother. Go apart, Adam, and thou shalt hear how he will";
    String first = text.substring(0, 80);
    String second = text.substring(1, 81);
    write(
        "leaf/train/s.json",
        """
        {"users": ["PLAY_ADAM"], "num_samples": [2], "hierarchies": ["PLAY"],
         "user_data": {"PLAY_ADAM": {"x": ["%s", "%s"], "y": ["%s", "%s"], "raw": "..."}}}
        """
            .formatted(first, second, text.charAt(80), text.charAt(81)));
    write("leaf/test/s.json", user("PLAY_ADAM", "\"" + first + "\"", "\"é\""));
    Shakespeare source =
        new Shakespeare(
            new Shakespeare.Settings(Optional.of("leaf"), 1, 0, Integer.MAX_VALUE, 1), context);
    DataSplits splits = source.load();
    Batch batch = splits.train().batch(1);
    splits.train().read(1, batch, 0);
    for (int i = 0; i < 80; i++) {
      assertThat((int) batch.inputs()[i]).isEqualTo(Characters.number(second.charAt(i)));
    }
    assertThat(splits.train().className(splits.train().label(0)))
        .isEqualTo(Characters.name(Characters.number(text.charAt(80))));
    assertThat(splits.test().className(splits.test().label(0))).isEqualTo("other");
    write("leaf/test/s.json", user("u", "\"too short\"", "\"a\""));
    assertThatThrownBy(source::load).hasMessageContaining("a text of length 80");
  }

  @Test
  void redditPredictsTheLastWordThatIsNotPadding() throws IOException {
    String x = tokens("<BOS>", "the", "cat", "sat", "on", "the", "mat", "<PAD>", "<PAD>", "<PAD>");
    String y = tokens("the", "cat", "sat", "on", "the", "mat", "the", "<PAD>", "<PAD>", "<PAD>");
    String empty =
        tokens(
            "<PAD>", "<PAD>", "<PAD>", "<PAD>", "<PAD>", "<PAD>", "<PAD>", "<PAD>", "<PAD>",
            "<PAD>");
    write(
        "reddit/train/r.json",
        """
        {"users": ["42"], "num_samples": [2], "user_data": {"42": {
          "x": [[%s], [%s, %s]],
          "y": [{"target_tokens": [%s], "subreddit": "aww", "score": {"a": [1]}},
                {"count_tokens": 7, "target_tokens": [%s, %s]}]}}}
        """
            .formatted(x, x, empty, y, y, empty));
    write("reddit/test/r.json", user("7", "[" + x + "]", "{\"target_tokens\": [" + y + "]}"));
    Reddit reddit =
        new Reddit(new Reddit.Settings(Optional.empty(), Reddit.Vocabulary.COUNTED), context);
    DataSplits splits = reddit.load();
    DataSet train = splits.train();
    assertThat(train.size()).as("a target of padding is left out").isEqualTo(2);
    assertThat(train.inputShape()).containsExactly(10);
    assertThat(train.classes()).isEqualTo(9_999);
    Batch batch = train.batch(1);
    train.read(1, batch, 0);
    assertThat(batch.inputs()[1]).as("the is the commonest word").isEqualTo(2);
    assertThat(batch.inputs()[9]).as("padding").isZero();
    assertThat(batch.targets()[0]).isEqualTo(2);
    Reddit own = new Reddit(new Reddit.Settings(Optional.empty(), Reddit.Vocabulary.LEAF), context);
    assertThat(own.present()).isFalse();
    Files.createDirectories(folder.resolve("reddit/vocab"));
    Files.write(
        folder.resolve("reddit/vocab/reddit_vocab.pck"),
        java.util.Base64.getDecoder().decode(dev.grapevine.data.format.PickledTablesTest.NEW));
    assertThat(own.present()).isTrue();
    own.load().train().read(1, batch, 0);
    assertThat(batch.inputs()[1]).as("LEAF's number of the").isEqualTo(3);
    Files.writeString(folder.resolve("reddit/vocab/reddit_vocab.pck"), "no pickle");
    assertThatThrownBy(own::load).hasMessageContaining("is no vocabulary of LEAF");
    write("reddit/test/r.json", user("7", "[" + x + "]", "{\"target_tokens\": []}"));
    assertThatThrownBy(reddit::load).hasMessageContaining("x=1, y=0");
    write("reddit/test/r.json", user("7", "[[\"a\"]]", "{\"target_tokens\": []}"));
    assertThatThrownBy(reddit::load).hasMessageContaining("lists of 10 tokens");
    write("reddit/test/r.json", user("7", "[" + x + "]", "5"));
    assertThatThrownBy(reddit::load).hasMessageContaining("must be an object");
  }

  @Test
  void sent140NumbersTheFrequentWords() throws IOException {
    write(
        "sent140/train/s.json",
        """
        {"users": ["ann"], "num_samples": [2], "user_data": {"ann": {
          "x": [["1", "Mon Apr 06", "NO_QUERY", "ann", "Good day, GOOD tea!", "training"],
                ["2", "Mon Apr 06", "NO_QUERY", "ann", "bad tea", "training"]],
          "y": [1, 0]}}}
        """);
    write(
        "sent140/test/s.json",
        user("bob", "[\"3\", \"d\", \"q\", \"bob\", \"good unheard\", \"test\"]", "1"));
    Sent140 source = new Sent140(new Sent140.Settings(Optional.empty(), 4), context);
    DataSplits splits = source.load();
    Batch batch = splits.train().batch(1);
    splits.train().read(0, batch, 0);
    // good and tea come twice, then the mark ! is first in the alphabet; 3 is everything else.
    assertThat(java.util.Arrays.copyOf(batch.inputs(), 7)).containsExactly(0, 3, 3, 0, 1, 2, 3);
    assertThat(splits.train().label(0)).isEqualTo(1);
    assertThat(splits.train().inputShape()).containsExactly(25);
    splits.test().read(0, batch, 0);
    assertThat(java.util.Arrays.copyOf(batch.inputs(), 3)).containsExactly(0, 3, 3);
    write("sent140/test/s.json", user("bob", "[\"3\", \"d\"]", "1"));
    assertThatThrownBy(source::load).hasMessageContaining("fields=2");
    write("sent140/test/s.json", user("bob", "[\"3\", \"d\", \"q\", \"b\", \"t\"]", "4"));
    assertThatThrownBy(source::load).hasMessageContaining("label=4, classes=2");
  }

  private void assertFemnistWrong(String content, String message) throws IOException {
    write("femnist/train/bad.json", content);
    write("femnist/test/good.json", user("u", pixels("0.5"), "1"));
    assertThatThrownBy(() -> femnist().load())
        .isInstanceOf(UserException.class)
        .hasMessageContaining("bad.json:")
        .hasMessageContaining(message);
  }

  private DataSource femnist() {
    return new Femnist(new Femnist.Settings(Optional.empty()), context);
  }

  private static String user(String name, String x, String y) {
    return """
    {"users": ["%s"], "num_samples": [1], "user_data": {"%s": {"x": [%s], "y": [%s]}}}
    """
        .formatted(name, name, x, y);
  }

  private static String pixels(String value) {
    return IntStream.range(0, 784).mapToObj(i -> value).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String tokens(String... words) {
    return java.util.Arrays.stream(words).collect(Collectors.joining("\", \"", "[\"", "\"]"));
  }

  private void write(String name, String content) throws IOException {
    Files.createDirectories(folder.resolve(name).getParent());
    Files.writeString(folder.resolve(name), content);
  }
}
