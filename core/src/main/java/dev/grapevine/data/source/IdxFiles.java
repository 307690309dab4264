package dev.grapevine.data.source;

import dev.grapevine.UserException;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.format.Checksum;
import dev.grapevine.data.format.Idx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The four files of MNIST and of the sets made in its likeness.
 *
 * @param set the set's name
 * @param format the images' layout and normalisation
 * @param classNames what the classes are called
 * @param md5 the unpacked files' digests, in the order of {@link #NAMES}
 */
record IdxFiles(String set, ImageFormat format, List<String> classNames, List<String> md5) {

  static final List<String> NAMES =
      List.of(
          "train-images-idx3-ubyte",
          "train-labels-idx1-ubyte",
          "t10k-images-idx3-ubyte",
          "t10k-labels-idx1-ubyte");

  boolean present(SetFolder folder) {
    return NAMES.stream().allMatch(name -> folder.has(name, dotted(name)));
  }

  /** Reads the official files, packed or not, and checks their digests. */
  DataSplits load(SetFolder folder) {
    return new DataSplits(split(folder, 0), split(folder, 2));
  }

  private ImageSet split(SetFolder folder, int first) {
    Path images = folder.require(NAMES.get(first), dotted(NAMES.get(first)));
    Path labels = folder.require(NAMES.get(first + 1), dotted(NAMES.get(first + 1)));
    byte[] imageBytes = SetFolder.content(images);
    byte[] labelBytes = SetFolder.content(labels);
    ImageSet read = combine(imageBytes, images.toString(), labelBytes, labels.toString());
    Checksum.requireMd5(imageBytes, md5.get(first), images.toString());
    Checksum.requireMd5(labelBytes, md5.get(first + 1), labels.toString());
    return read;
  }

  /** Joins images and labels; the names are for messages. */
  ImageSet combine(byte[] imageBytes, String imageName, byte[] labelBytes, String labelName) {
    Idx images = idx(imageBytes, imageName, 3);
    Idx labels = idx(labelBytes, labelName, 1);
    int count = images.extents()[0];
    if (images.extents()[1] != format.height() || images.extents()[2] != format.width()) {
      throw new UserException(
          "%s: images have the wrong size: %d x %d, expected %d x %d"
              .formatted(
                  imageName,
                  images.extents()[1],
                  images.extents()[2],
                  format.height(),
                  format.width()));
    }
    if (labels.extents()[0] != count) {
      throw new UserException(
          "%s: the number of labels does not fit the images: labels=%d, images=%d; take both files from one place"
              .formatted(labelName, labels.extents()[0], count));
    }
    ImageSet.Builder builder = new ImageSet.Builder(set, format, classNames);
    for (int i = 0; i < count; i++) {
      int label = labels.content()[labels.offset(i)] & 0xff;
      if (label >= classNames.size()) {
        throw new UserException(
            "%s: label out of range at byte %d: label=%d, classes=%d"
                .formatted(labelName, labels.offset(i), label, classNames.size()));
      }
      builder.add(images.content(), images.offset(i), label);
    }
    return builder.build();
  }

  /** Some copies on the web spell the names with a dot. */
  static String dotted(String name) {
    return name.replace("-idx", ".idx");
  }

  private static Idx idx(byte[] content, String name, int dimensions) {
    try {
      return Idx.read(new ByteArrayInputStream(content), name, dimensions);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
