package dev.grapevine.data.source;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.Offer;
import dev.grapevine.data.format.Pictures;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Own pictures: a folder with one sub-folder per class, holding PNG and JPEG files. With the
 * sub-folders {@code train} and {@code test}, each of these is such a folder. Pictures are scaled
 * to one size and to -1 to 1.
 */
@Kind(
    name = "image-folder",
    summary = "own pictures: a folder with one sub-folder of PNG or JPEG files per class")
@Offer(access = Offer.Access.OWN_FILES, size = "1 byte per value in memory", terms = "yours")
public final class ImageFolder implements DataSource {

  /**
   * @param images the folder
   * @param imageSize rows and columns that pictures are scaled to
   * @param colour whether to keep colours
   * @param testFraction share of the pictures for testing
   */
  public record Settings(
      @Doc("folder with a sub-folder per class, or with train and test") String images,
      @Doc("rows and columns that pictures are scaled to, 1 to 1024") @Default("32") int imageSize,
      @Doc("three channels instead of one") @Default("true") boolean colour,
      @Doc("share of the pictures for testing when there is no folder test, between 0 and 1")
          @Default("0.2")
          double testFraction) {
    public Settings {
      require(
          imageSize >= 1 && imageSize <= 1024,
          "image-size",
          "image-size must be from 1 to 1024: image-size=" + imageSize);
      require(
          testFraction > 0 && testFraction < 1,
          "test-fraction",
          "test-fraction must lie between 0 and 1: test-fraction=" + testFraction);
    }
  }

  private static final long SPLIT = 1;

  private final Settings settings;
  private final Path folder;
  private final long seed;
  private final ImageFormat format;

  public ImageFolder(Settings settings, DataContext context) {
    this.settings = settings;
    folder = context.resolve(settings.images());
    seed = context.seed();
    format =
        ImageFormat.uniform(
            settings.colour() ? 3 : 1, settings.imageSize(), settings.imageSize(), 0.5, 0.5);
  }

  @Override
  public boolean present() {
    return Files.isDirectory(folder);
  }

  @Override
  public DataSplits load() {
    require(present(), "images", "there is no such folder: images=" + folder);
    Path train = folder.resolve("train");
    Path test = folder.resolve("test");
    if (Files.isDirectory(train) && Files.isDirectory(test)) {
      List<String> classes = classes(train);
      if (!classes(test).stream().allMatch(classes::contains)) {
        throw new UserException(
            "%s has classes that %s lacks: test=%s, train=%s"
                .formatted(test, train, classes(test), classes));
      }
      return new DataSplits(read(train, classes), read(test, classes));
    }
    return DataSplits.divide(
        read(folder, classes(folder)),
        settings.testFraction(),
        new SplitMix(SplitMix.mix(seed, SPLIT)));
  }

  private ImageSet read(Path root, List<String> classes) {
    ImageSet.Builder builder = new ImageSet.Builder("image-folder", format, classes);
    for (int label = 0; label < classes.size(); label++) {
      Path ofClass = root.resolve(classes.get(label));
      if (Files.isDirectory(ofClass)) {
        for (Path picture : list(ofClass).filter(ImageFolder::isPicture).toList()) {
          byte[] planes =
              Pictures.planes(
                  Pictures.decode(picture), format.channels(), format.height(), format.width());
          builder.add(planes, 0, label);
        }
      }
    }
    if (builder.size() == 0) {
      throw new UserException(
          "%s: no PNG or JPEG files in the sub-folders %s".formatted(root, classes));
    }
    return builder.build();
  }

  private static List<String> classes(Path root) {
    List<String> names =
        list(root).filter(Files::isDirectory).map(path -> path.getFileName().toString()).toList();
    if (names.isEmpty()) {
      throw new UserException(
          "%s: there must be a sub-folder for each class, but there is none".formatted(root));
    }
    return names;
  }

  private static boolean isPicture(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".png") || name.endsWith(".jpg") || name.endsWith(".jpeg");
  }

  private static Stream<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList().stream();
    } catch (IOException failure) {
      throw new UserException(
          "cannot list the folder: %s (%s)".formatted(folder, FileProblem.reason(failure)));
    }
  }
}
