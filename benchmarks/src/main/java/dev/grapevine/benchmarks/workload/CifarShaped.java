package dev.grapevine.benchmarks.workload;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.source.FashionMnistMini;
import dev.grapevine.engine.Batch;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Real pictures in CIFAR-10's shape that need no download: those of fashion-mnist-mini with a
 * margin, the same in all three colours, over and over until there are enough.
 */
public final class CifarShaped {

  private static final int SIDE = 32;
  private static final int PLANE = SIDE * SIDE;

  private CifarShaped() {}

  public static DataSet of(int samples) {
    DataSet clothes = new FashionMnistMini().load().train();
    ImageFormat grey = clothes.image().orElseThrow();
    List<String> classes =
        IntStream.range(0, clothes.classes()).mapToObj(clothes::className).toList();
    ImageSet.Builder coloured =
        new ImageSet.Builder("cifar-shaped", ImageFormat.uniform(3, SIDE, SIDE, 0.5, 0.5), classes);
    Batch one = clothes.batch(1);
    one.resize(1);
    byte[] pixels = new byte[3 * PLANE];
    for (int sample = 0; sample < samples; sample++) {
      int original = sample % clothes.size();
      clothes.read(original, one, 0);
      paint(one.inputs(), grey, pixels);
      coloured.add(pixels, 0, clothes.label(original));
    }
    return coloured.build();
  }

  private static void paint(float[] picture, ImageFormat grey, byte[] pixels) {
    int top = (SIDE - grey.height()) / 2;
    int left = (SIDE - grey.width()) / 2;
    for (int row = 0; row < grey.height(); row++) {
      for (int column = 0; column < grey.width(); column++) {
        byte value = (byte) grey.denormalise(0, picture[row * grey.width() + column]);
        int at = (top + row) * SIDE + left + column;
        pixels[at] = value;
        pixels[PLANE + at] = value;
        pixels[2 * PLANE + at] = value;
      }
    }
  }
}
