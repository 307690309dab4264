package dev.grapevine.data.source;

import de.siegmar.fastcsv.reader.CsvReader;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.Offer;
import dev.grapevine.settings.Kind;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * The smallest real set: handwritten digits of 8 x 8 in 17 shades, scaled to 0 to 1. Every fifth
 * sample is for testing, which makes 1,437 + 360.
 */
@Kind(
    name = "digits",
    summary = "handwritten digits: 1,437 + 360 grey images of 8 x 8, 10 classes, in the jar",
    paper = "E. Alpaydin, C. Kaynak, Cascading Classifiers, 1998")
@Offer(access = Offer.Access.EMBEDDED, size = "57 KB", terms = "CC BY 4.0")
public final class Digits implements DataSource {

  private static final int SHADES = 16;
  private static final int TEST_EVERY = 5;
  private static final int TEST_FIRST = 0;

  // A byte holds 15 times the shade (a whole number, and bright enough to look at); shade 16 is 1.
  private static final int STEP = 15;
  private static final ImageFormat FORMAT = ImageFormat.uniform(1, 8, 8, 0, SHADES * STEP / 255.0);

  @Override
  public DataSplits load() {
    ImageSet.Builder builder =
        new ImageSet.Builder(
            "digits", FORMAT, IntStream.range(0, 10).mapToObj(Integer::toString).toList());
    byte[] pixels = new byte[FORMAT.size()];
    CsvReader.builder()
        .ofCsvRecord(new String(Embedded.content("digits.csv.gz"), StandardCharsets.US_ASCII))
        .forEach(line -> {
          for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (STEP * Integer.parseInt(line.getField(i)));
          }
          builder.add(pixels, 0, Integer.parseInt(line.getField(pixels.length)));
        });
    return DataSplits.divide(builder.build(), sample -> sample % TEST_EVERY == TEST_FIRST);
  }
}
