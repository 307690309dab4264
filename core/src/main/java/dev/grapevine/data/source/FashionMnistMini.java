package dev.grapevine.data.source;

import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.Offer;
import dev.grapevine.settings.Kind;
import java.util.List;

/** A balanced part of Fashion-MNIST in the jar, so that a first run needs no download. */
@Kind(
    name = "fashion-mnist-mini",
    summary = "clothing: 2,000 + 500 grey images of 28 x 28, 10 classes, in the jar",
    paper = "H. Xiao, K. Rasul, R. Vollgraf, Fashion-MNIST, 2017")
@Offer(access = Offer.Access.EMBEDDED, size = "1.1 MB", terms = "MIT")
public final class FashionMnistMini implements DataSource {

  private static final IdxFiles FILES =
      new IdxFiles("fashion-mnist-mini", FashionMnist.FORMAT, FashionMnist.CLASSES, List.of());

  @Override
  public DataSplits load() {
    return new DataSplits(split("fashion-train2000"), split("fashion-test500"));
  }

  private static ImageSet split(String prefix) {
    String images = prefix + "-images-idx3-ubyte.gz";
    String labels = prefix + "-labels-idx1-ubyte.gz";
    return FILES.combine(Embedded.content(images), images, Embedded.content(labels), labels);
  }
}
