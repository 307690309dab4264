package dev.grapevine.data.source;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.Offer;
import dev.grapevine.data.format.LeafReader;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;

/** Handwritten digits and letters by writer, from LEAF's JSON; values 0 to 1 as LEAF has them. */
@Kind(
    name = "femnist",
    summary = "digits and letters by writer: grey images of 28 x 28, 62 classes",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018")
@Offer(
    access = Offer.Access.OWN_FILES,
    size = "up to 630 MB in memory",
    terms = "NIST Special Database 19; made with LEAF's scripts")
public final class Femnist implements DataSource {

  private static final ImageFormat FORMAT = ImageFormat.plain(1, 28, 28);
  private static final List<String> CLASSES =
      Stream.of(letters('0', '9'), letters('A', 'Z'), letters('a', 'z'))
          .flatMap(range -> range)
          .toList();

  /**
   * @param folder LEAF's folder
   */
  public record Settings(
      @Doc("folder with LEAF's train/*.json and test/*.json; left out: femnist in the cache")
          Optional<String> folder) {}

  private final SetFolder folder;

  public Femnist(Settings settings, DataContext context) {
    folder = SetFolder.of("femnist", settings.folder(), context, false);
  }

  @Override
  public boolean present() {
    return LeafFolder.present(folder);
  }

  @Override
  public DataSplits load() {
    return new DataSplits(read(LeafFolder.train(folder)), read(LeafFolder.test(folder)));
  }

  private static ImageSet read(List<Path> files) {
    ImageSet.Builder builder = new ImageSet.Builder("femnist", FORMAT, CLASSES);
    UserList users = new UserList();
    LeafSink.readAll(files, file -> new Sink(file, users, builder));
    return builder.build(users.build());
  }

  private static Stream<String> letters(char from, char to) {
    return java.util.stream.IntStream.rangeClosed(from, to).mapToObj(Character::toString);
  }

  private static final class Sink extends LeafSink {

    private final ImageSet.Builder builder;
    private final byte[] pixels = new byte[FORMAT.size()];
    private int filled;

    Sink(Path file, UserList users, ImageSet.Builder builder) {
      super(file, users, CLASSES.size());
      this.builder = builder;
    }

    @Override
    void store(JsonParser parser) {
      filled = 0;
      array(parser, pixels.length, () -> pixels[filled++] = pixel(parser));
      builder.add(pixels, 0, 0);
    }

    private byte pixel(JsonParser parser) {
      double value = parser.currentToken().isNumeric() ? parser.getDoubleValue() : Double.NaN;
      if (!(value >= 0 && value <= 1)) {
        throw LeafReader.mistake(
            file, parser, "a pixel must be a number from 0 to 1: pixel=" + parser.getString());
      }
      return (byte) Math.round(value * 255);
    }

    @Override
    void label(int back, int label) {
      builder.label(builder.size() - back, label);
    }
  }
}
