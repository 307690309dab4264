package dev.grapevine.data.source;

import dev.grapevine.data.DataSource;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The data sets of this package. */
public final class DataCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return DataSource.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        FashionMnistMini.class,
        Digits.class,
        Shakespeare.class,
        Cifar10.class,
        Mnist.class,
        FashionMnist.class,
        MovieLens1M.class,
        MovieLensSmall.class,
        Femnist.class,
        CelebA.class,
        Reddit.class,
        Sent140.class,
        LeafSynthetic.class,
        Csv.class,
        ImageFolder.class,
        Blobs.class,
        LinearRegression.class);
  }
}
