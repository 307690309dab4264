package dev.grapevine.learning;

import dev.grapevine.data.DataSet;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The data that a model is built for.
 *
 * @param data the set's name, for messages
 * @param inputShape one sample's dimensions, such as {3, 32, 32}
 * @param classes number of classes, or 0 when the target is a value to be approximated
 * @param vocabulary how many different ids the inputs take, empty for inputs that are quantities
 */
public record ModelContext(String data, int[] inputShape, int classes, int[] vocabulary) {

  /** What a model for {@code data} must take and give. */
  public static ModelContext of(DataSet data) {
    return new ModelContext(data.name(), data.inputShape(), data.classes(), data.vocabulary());
  }

  /** Values per sample. */
  public int inputSize() {
    int size = 1;
    for (int extent : inputShape) {
      size = Math.multiplyExact(size, extent);
    }
    return size;
  }

  /** The input shape as people write it: 3 × 32 × 32. */
  public String shapeInWords() {
    return inWords(inputShape);
  }

  static String inWords(int[] shape) {
    return Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining(" × "));
  }
}
