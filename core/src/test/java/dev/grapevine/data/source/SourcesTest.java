package dev.grapevine.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.TestSets;
import dev.grapevine.engine.Batch;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {

  @TempDir Path folder;

  private DataContext context;

  @BeforeEach
  void makeContext() {
    context = TestSets.context(folder);
  }

  @Test
  void theMiniFashionSetIsBalancedAndNormalised() {
    DataSplits splits = new FashionMnistMini().load();
    assertThat(splits.train().size()).isEqualTo(2000);
    assertThat(splits.test().size()).isEqualTo(500);
    assertThat(splits.train().inputShape()).containsExactly(1, 28, 28);
    assertThat(classCounts(splits.train())).containsOnly(200);
    assertThat(classCounts(splits.test())).containsOnly(50);
    double[] moments = moments(splits.train());
    assertThat(moments[0]).isBetween(-0.1, 0.1);
    assertThat(moments[1]).isBetween(0.9, 1.1);
  }

  @Test
  void digitsLieBetweenZeroAndOne() {
    DataSplits splits = new Digits().load();
    assertThat(splits.train().size()).isEqualTo(1437);
    assertThat(splits.test().size()).isEqualTo(360);
    Batch batch = splits.test().batch(1);
    splits.test().read(0, batch, 0);
    // The first row of the file is a zero: 0,0,5,13,9,1,0,0,...
    assertThat(batch.inputs()[2]).isEqualTo(5 / 16f);
    assertThat(batch.inputs()[3]).isEqualTo(13 / 16f);
    assertThat(batch.targets()[0]).isZero();
  }

  @Test
  void theEmbeddedPlaysAreWindowsBySpeaker() {
    DataSplits splits =
        new Shakespeare(
                new Shakespeare.Settings(Optional.empty(), 1, 0, Integer.MAX_VALUE, 1), context)
            .load();
    DataSet train = splits.train();
    assertThat(train.inputShape()).containsExactly(80);
    assertThat(train.classes()).isEqualTo(92);
    assertThat(train.vocabulary()).containsExactly(92);
    assertThat(train.users().count()).isGreaterThan(80);
    assertThat(train.size()).isGreaterThan(250_000);
    Batch batch = train.batch(2);
    train.read(0, batch, 0);
    train.read(1, batch, 1);
    assertThat(batch.inputs()[159]).as("the next window ends with").isEqualTo(batch.targets()[0]);
    String start =
        IntStream.range(0, 12)
            .mapToObj(i -> Characters.name((int) batch.inputs()[i]))
            .reduce("", String::concat);
    assertThat(start).isEqualTo("Who'sspacethere?");
    int strided =
        new Shakespeare(
                new Shakespeare.Settings(Optional.empty(), 10, 0, Integer.MAX_VALUE, 1), context)
            .load()
            .train()
            .size();
    assertThat(strided).isBetween(train.size() / 10, train.size() / 10 + 120);
  }

  @Test
  void charactersHaveNumbersOfTheirOwn() {
    List<Integer> numbers =
        IntStream.range(32, 127)
            .filter(c -> "+=\\^`|~".indexOf(c) < 0)
            .mapToObj(c -> Characters.number((char) c))
            .toList();
    assertThat(numbers).doesNotHaveDuplicates().hasSize(88).allMatch(n -> n >= 2 && n < 90);
    assertThat(Characters.number('é')).isEqualTo(Characters.number('+')).isEqualTo(90);
    assertThat(Characters.name(91)).isEqualTo("unused");
  }

  @Test
  void officialFilesAreTakenAsTheyAreButOnlyWhenTheirChecksumFits() throws IOException {
    Mnist missing = new Mnist(new Mnist.Settings(Optional.empty()), context);
    assertThat(missing.present()).isFalse();
    assertThatThrownBy(missing::load)
        .isInstanceOf(UserException.class)
        .hasMessageContaining("train-images-idx3-ubyte")
        .hasMessageContaining("grapevine data get mnist");
    writeIdx(folder.resolve("own"), 3, 3);
    Mnist wrong = new Mnist(new Mnist.Settings(Optional.of("own")), context);
    assertThat(wrong.present()).isTrue();
    assertThatThrownBy(wrong::load)
        .hasMessageContaining("own/train-images-idx3-ubyte: wrong checksum: md5=")
        .hasMessageContaining("expected=6bbc9ace898e44ae57da46a324031adb");
    writeIdx(folder.resolve("own"), 3, 2);
    assertThatThrownBy(wrong::load).hasMessageContaining("labels=2, images=3");
    Files.write(
        folder.resolve("own/train-labels-idx1-ubyte"),
        new byte[] {0, 0, 8, 1, 0, 0, 0, 3, 1, 10, 2});
    assertThatThrownBy(wrong::load)
        .hasMessageContaining("train-labels-idx1-ubyte: label out of range at byte 9: label=10");
    Files.write(folder.resolve("own/train-labels-idx1-ubyte"), new byte[] {0, 0, 8});
    assertThatThrownBy(wrong::load).hasMessageContaining("damaged at byte 3");
    FashionMnist fashion = new FashionMnist(new FashionMnist.Settings(Optional.of("own")), context);
    assertThat(fashion.present()).isTrue();
    Files.delete(folder.resolve("own/train-labels-idx1-ubyte"));
    Files.writeString(folder.resolve("own/train-labels-idx1-ubyte.gz"), "not packed");
    assertThatThrownBy(fashion::load).hasMessageContaining("train-labels-idx1-ubyte.gz");
  }

  @Test
  void damagedCifarFilesAreRefused() throws IOException {
    Cifar10 cifar = new Cifar10(new Cifar10.Settings(Optional.of("c")), context);
    assertThat(cifar.present()).isFalse();
    assertThatThrownBy(cifar::load).hasMessageContaining("missing data_batch_1.bin");
    Files.createDirectories(folder.resolve("c"));
    Path first = folder.resolve("c/data_batch_1.bin");
    Files.write(first, new byte[3073 * 7 + 5]);
    assertThatThrownBy(cifar::load)
        .hasMessageContaining("data_batch_1.bin: the file is cut off at byte 21516 of 30730000");
    byte[] labels = new byte[3073 * 10_000];
    Files.write(first, labels);
    assertThatThrownBy(cifar::load).hasMessageContaining("wrong checksum");
    labels[3073 * 150] = 11;
    Files.write(first, labels);
    assertThatThrownBy(cifar::load)
        .hasMessageContaining("label out of range at byte 460950: label=11");
    Files.delete(first);
    for (CifarBatch batch : CifarBatch.ALL) {
      writePicture(folder.resolve("c/" + batch.pictureName()), 30, 30, Color.RED);
    }
    assertThat(cifar.present()).isTrue();
    assertThatThrownBy(cifar::load).hasMessageContaining("wrong size: 30 x 30");
  }

  @Test
  void movieLensIsSplitUserByUser() throws IOException {
    Files.createDirectories(folder.resolve("movielens-small"));
    StringBuilder csv = new StringBuilder("userId,movieId,rating,timestamp\n");
    for (int user = 1; user <= 5; user++) {
      for (int item = 0; item < 10 + user; item++) {
        csv.append(
            "%d,%d,%s,964982703\n".formatted(user, 100 * item + 1, item % 2 == 0 ? "4.5" : "2"));
      }
    }
    Path file = Files.writeString(folder.resolve("movielens-small/ratings.csv"), csv);
    MovieLensSmall source =
        new MovieLensSmall(new MovieLensSmall.Settings(Optional.empty()), context);
    DataSplits splits = source.load();
    assertThat(splits.train().size() + splits.test().size()).isEqualTo(65);
    assertThat(splits.train().vocabulary()).containsExactly(5, 15);
    assertThat(splits.train().size()).isEqualTo(8 + 9 + 10 + 10 + 11);
    Batch batch = splits.train().batch(1);
    splits.train().read(0, batch, 0);
    assertThat(batch.inputs()[0]).isZero();
    assertThat(batch.targets()[0]).isIn(4.5f, 2f);
    Files.writeString(file, csv + "7,8,5.5,1\n");
    assertThatThrownBy(source::load)
        .hasMessageContaining("ratings.csv:67")
        .hasMessageContaining("rating=5.5");
    Files.writeString(file, csv + "7,8");
    assertThatThrownBy(source::load).hasMessageContaining("ratings.csv:67");
    Files.writeString(file, "a,b\n1,2\n");
    assertThatThrownBy(source::load).hasMessageContaining("[userId, movieId, rating]");
    Files.writeString(file, "");
    assertThatThrownBy(source::load).isInstanceOf(UserException.class);
  }

  @Test
  void theMillionRatingsAreReadLineByLine() {
    byte[] good = "1::1193::5::978300760\n1::661::3::978302109\n2::661::4::9\n".getBytes();
    DataSplits splits = MovieLens1M.parse(good, "f").split(1);
    assertThat(splits.train().size()).isEqualTo(3);
    assertThat(splits.train().vocabulary()).containsExactly(2, 2);
    assertThatThrownBy(() -> MovieLens1M.parse("1::2::3\n".getBytes(), "f"))
        .hasMessageContaining("f:1: expected user::item::rating::time");
    assertThatThrownBy(() -> MovieLens1M.parse("1::2::3::4\nx::2::3::4\n".getBytes(), "f"))
        .hasMessageContaining("f:2")
        .hasMessageContaining("user=x");
  }

  @Test
  void tablesAreStandardisedAndTheirClassesNumbered() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("t.csv"),
            "a,label,who,b\n1,10,x,5\n2,9,y,5\n3,10,x,5\n4,9,y,5\n5,-1,z,5\n");
    DataSplits splits = csv("t.csv", Optional.of("who"), Csv.Task.CLASSES).load();
    assertThat(splits.train().size()).isEqualTo(4);
    assertThat(splits.test().size()).isEqualTo(1);
    assertThat(splits.train().inputShape()).containsExactly(2);
    assertThat(IntStream.range(0, 3).mapToObj(splits.train()::className))
        .containsExactly("-1", "9", "10");
    assertThat(splits.train().users().count()).isEqualTo(3);
    Batch batch = splits.train().batch(4);
    splits.train().fill(new int[] {0, 1, 2, 3}, 0, 4, batch);
    float sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += batch.inputs()[2 * i];
      assertThat(batch.inputs()[2 * i + 1]).as("a constant column").isZero();
    }
    assertThat(sum).isBetween(-1e-5f, 1e-5f);

    DataSplits regression = csv("t.csv", Optional.of("who"), Csv.Task.VALUES).load();
    assertThat(regression.train().classes()).isZero();

    assertThatThrownBy(() -> csv("t.csv", Optional.of("whose"), Csv.Task.CLASSES).load())
        .hasMessageContaining("t.csv:1: there is no column user-column=\"whose\"");
    assertThatThrownBy(() -> csv("t.csv", Optional.empty(), Csv.Task.CLASSES).load())
        .hasMessageContaining("t.csv:2: column who must hold a number, but holds \"x\"");
    assertThatThrownBy(() -> csv("absent.csv", Optional.empty(), Csv.Task.CLASSES).load())
        .hasMessageContaining("cannot read the file");
    Files.writeString(file, "a,label\n1,2\n3\n");
    assertThatThrownBy(() -> csv("t.csv", Optional.empty(), Csv.Task.CLASSES).load())
        .hasMessageContaining("t.csv:3: the row has 1 fields, the header 2");
    Files.writeString(file, "a,label\n");
    assertThatThrownBy(() -> csv("t.csv", Optional.empty(), Csv.Task.CLASSES).load())
        .hasMessageContaining("no rows");
  }

  @Test
  void ownPicturesAreScaledAndLabelledByFolder() throws IOException {
    for (String name :
        List.of("train/cat/1.png", "train/cat/2.png", "train/dog/1.png", "test/dog/9.png")) {
      Files.createDirectories(folder.resolve(name).getParent());
      writePicture(folder.resolve(name), 10, 12, name.contains("cat") ? Color.RED : Color.BLUE);
    }
    Files.writeString(folder.resolve("train/cat/notes.txt"), "not a picture");
    ImageFolder source = images(".", 4, true);
    DataSplits splits = source.load();
    assertThat(splits.train().size()).isEqualTo(3);
    assertThat(splits.test().label(0)).isEqualTo(1);
    assertThat(splits.train().className(1)).isEqualTo("dog");
    Batch batch = splits.train().batch(1);
    splits.train().read(0, batch, 0);
    assertThat(Arrays.copyOf(batch.inputs(), 16)).containsOnly(1f);
    assertThat(Arrays.copyOfRange(batch.inputs(), 16, 48)).containsOnly(-1f);
    assertThat(images("train", 4, false).load().train().inputShape()).containsExactly(1, 4, 4);
    Files.write(folder.resolve("train/dog/2.png"), new byte[] {1, 2, 3});
    assertThatThrownBy(source::load).hasMessageContaining("2.png: not an image");
    assertThatThrownBy(images("train/cat", 4, true)::load).hasMessageContaining("sub-folder");
    assertThatThrownBy(images("absent", 4, true)::load).hasMessageContaining("no such folder");
  }

  @Test
  void generatedSetsComeFromTheSeed() {
    for (DataSource source :
        List.of(
            new Blobs(new Blobs.Settings(200, 4, 3, 5), context),
            new LinearRegression(new LinearRegression.Settings(200, 3, 0.1), context),
            new LeafSynthetic(new LeafSynthetic.Settings(20, 3, 5, 2), context))) {
      assertThat(content(source.load().train())).isEqualTo(content(source.load().train()));
    }
    DataContext other = new DataContext(folder, 8, folder);
    assertThat(content(new Blobs(new Blobs.Settings(200, 4, 3, 5), other).load().train()))
        .isNotEqualTo(content(new Blobs(new Blobs.Settings(200, 4, 3, 5), context).load().train()));
  }

  @Test
  void theRegressionHasTheOptimumItClaims() {
    LinearRegression source =
        new LinearRegression(new LinearRegression.Settings(2000, 4, 0), context);
    float[] optimum = source.optimum();
    DataSet train = source.load().train();
    Batch batch = train.batch(1);
    for (int sample = 0; sample < train.size(); sample++) {
      train.read(sample, batch, 0);
      double y = optimum[4];
      for (int j = 0; j < 4; j++) {
        y += optimum[j] * batch.inputs()[j];
      }
      assertThat((double) batch.targets()[0]).isBetween(y - 1e-5, y + 1e-5);
    }
  }

  @Test
  void leafSyntheticHasUsersOfVeryDifferentSizes() {
    DataSplits splits =
        new LeafSynthetic(new LeafSynthetic.Settings(300, 5, 10, 1), context).load();
    int[] sizes = new int[300];
    for (int user : splits.train().users().ofSample()) {
      sizes[user]++;
    }
    Arrays.sort(sizes);
    assertThat(sizes[0]).isBetween(4, 6);
    assertThat(sizes[299]).isEqualTo(900);
    assertThat(sizes[150]).isBetween(10, 50);
    assertThat(classCounts(splits.train())).doesNotContain(0);
  }

  private ImageFolder images(String path, int size, boolean colour) {
    return new ImageFolder(new ImageFolder.Settings(path, size, colour, 0.3), context);
  }

  private Csv csv(String file, Optional<String> userColumn, Csv.Task task) {
    return new Csv(
        new Csv.Settings(file, Optional.empty(), 0.2, "label", userColumn, task, true), context);
  }

  private static void writeIdx(Path folder, int images, int labels) throws IOException {
    Files.createDirectories(folder);
    byte[] imageFile =
        ByteBuffer.allocate(16 + images * 784)
            .putInt(0x803)
            .putInt(images)
            .putInt(28)
            .putInt(28)
            .array();
    byte[] labelFile = ByteBuffer.allocate(8 + labels).putInt(0x801).putInt(labels).array();
    for (String part : List.of("train", "t10k")) {
      Files.write(folder.resolve(part + "-images-idx3-ubyte"), imageFile);
      Files.write(folder.resolve(part + "-labels-idx1-ubyte"), labelFile);
    }
  }

  private static void writePicture(Path file, int width, int height, Color colour)
      throws IOException {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(colour);
    graphics.fillRect(0, 0, width, height);
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }

  private static int[] classCounts(DataSet set) {
    int[] counts = new int[set.classes()];
    for (int sample = 0; sample < set.size(); sample++) {
      counts[set.label(sample)]++;
    }
    return counts;
  }

  private static float[] content(DataSet set) {
    Batch batch = set.batch(set.size());
    set.fill(IntStream.range(0, set.size()).toArray(), 0, set.size(), batch);
    return batch.inputs();
  }

  private static double[] moments(DataSet set) {
    double sum = 0;
    double squares = 0;
    float[] values = content(set);
    for (float value : values) {
      sum += value;
      squares += value * value;
    }
    double mean = sum / values.length;
    return new double[] {mean, Math.sqrt(squares / values.length - mean * mean)};
  }
}
