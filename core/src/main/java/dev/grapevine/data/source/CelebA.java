package dev.grapevine.data.source;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.Offer;
import dev.grapevine.data.format.LeafReader;
import dev.grapevine.data.format.Pictures;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Does this celebrity smile? LEAF's JSON names the pictures of each celebrity; the pictures are
 * scaled to 84 x 84. Values are those of the bytes, 0 to 255, as LEAF and DecentralizePy feed them
 * and as published rates are tuned for, or scaled to -1 to 1, with which larger rates are stable.
 */
@Kind(
    name = "celeba",
    summary = "faces by celebrity: colour images of 84 x 84, smiling or not",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018")
@Offer(
    access = Offer.Access.OWN_FILES,
    size = "21 KB per image in memory",
    terms = "non-commercial research; made with LEAF's scripts")
public final class CelebA implements DataSource {

  private static final int EXTENT = 84;
  private static final List<String> CLASSES = List.of("serious", "smiling");

  /** What the values of a picture are. */
  public enum Pixels {
    /** From 0 to 255. */
    BYTES(0, 1 / 255.0),
    /** From -1 to 1. */
    SCALED(0.5, 0.5);

    private final ImageFormat format;

    Pixels(double mean, double deviation) {
      format = ImageFormat.uniform(3, EXTENT, EXTENT, mean, deviation);
    }
  }

  /**
   * @param folder LEAF's folder
   * @param images the folder with the pictures
   * @param pixels what the values of a picture are
   */
  public record Settings(
      @Doc("folder with LEAF's train/*.json and test/*.json; left out: celeba in the cache")
          Optional<String> folder,
      @Doc("folder with the pictures (PNG or JPEG); left out: raw/img_align_celeba in the folder")
          Optional<String> images,
      @Doc("bytes: 0 to 255, as LEAF and DecentralizePy feed them; scaled: -1 to 1")
          @Default("bytes")
          Pixels pixels) {}

  private final SetFolder folder;
  private final Path images;
  private final ImageFormat format;

  public CelebA(Settings settings, DataContext context) {
    folder = SetFolder.of("celeba", settings.folder(), context, false);
    format = settings.pixels().format;
    images = settings.images().map(context::resolve).orElseGet(() -> usualImages(folder.path()));
  }

  private static Path usualImages(Path folder) {
    return Stream.of("raw/img_align_celeba", "data/raw/img_align_celeba", "img_align_celeba")
        .map(folder::resolve)
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(folder.resolve("raw/img_align_celeba"));
  }

  @Override
  public boolean present() {
    return LeafFolder.present(folder) && Files.isDirectory(images);
  }

  @Override
  public DataSplits load() {
    if (!Files.isDirectory(images)) {
      throw folder.missing("the pictures' folder " + images);
    }
    return new DataSplits(read(LeafFolder.train(folder)), read(LeafFolder.test(folder)));
  }

  private ImageSet read(List<Path> files) {
    ImageSet.Builder builder = new ImageSet.Builder("celeba", format, CLASSES);
    UserList users = new UserList();
    LeafSink.readAll(files, file -> new Sink(file, users, builder));
    return builder.build(users.build());
  }

  private final class Sink extends LeafSink {

    private final ImageSet.Builder builder;

    Sink(Path file, UserList users, ImageSet.Builder builder) {
      super(file, users, CLASSES.size());
      this.builder = builder;
    }

    @Override
    void store(JsonParser parser) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        throw LeafReader.mistake(
            file, parser, "an input must be a picture's name, but is " + parser.currentToken());
      }
      Path picture = find(parser, parser.getString());
      builder.add(Pictures.planes(Pictures.decode(picture), 3, EXTENT, EXTENT), 0, 0);
    }

    /** LEAF names JPEG files; many copies of the pictures are PNG files of the same names. */
    private Path find(JsonParser parser, String name) {
      String stem = name.replaceFirst("\\.[A-Za-z]+$", "");
      return Stream.of(name, stem + ".png", stem + ".jpg")
          .map(images::resolve)
          .filter(candidate -> candidate.normalize().startsWith(images))
          .filter(Files::isRegularFile)
          .findFirst()
          .orElseThrow(() ->
              LeafReader.mistake(
                  file, parser, "there is no picture %s in %s".formatted(name, images)));
    }

    @Override
    void label(int back, int label) {
      builder.label(builder.size() - back, label);
    }
  }
}
