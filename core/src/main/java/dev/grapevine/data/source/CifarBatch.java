package dev.grapevine.data.source;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.ImageSet;
import dev.grapevine.data.format.Checksum;
import dev.grapevine.data.format.Pictures;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of CIFAR-10's six files: 10,000 records of a label byte and three planes of 1,024 bytes.
 *
 * @param name the file's name without its ending
 * @param first where its labels start in the list of all training (or test) labels
 * @param md5 the published digest of the binary file
 */
record CifarBatch(String name, int first, String md5) {

  private static final int COUNT = 10_000;
  private static final int CLASSES = 10;
  private static final int PIXELS = 3 * 32 * 32;
  private static final int RECORD = 1 + PIXELS;

  static final List<CifarBatch> ALL =
      List.of(
          new CifarBatch("data_batch_1", 0, "5dd7e06a14cb22eb9f671a540d1b7c25"),
          new CifarBatch("data_batch_2", COUNT, "5ea93a67294ea407fff1d09f752e9692"),
          new CifarBatch("data_batch_3", 2 * COUNT, "942cd6a4bcdd0dd3c604fbe906cb4421"),
          new CifarBatch("data_batch_4", 3 * COUNT, "ae636b3ba5c66a11e91e8cb52e771fcb"),
          new CifarBatch("data_batch_5", 4 * COUNT, "53f37980c15c3d472c316c40844f3f0d"),
          new CifarBatch("test_batch", 0, "803d5f7f4d78ea53de84dbe85f74fb6d"));

  boolean isTest() {
    return name.startsWith("test");
  }

  String binaryName() {
    return name + ".bin";
  }

  String pictureName() {
    return name + ".png";
  }

  /**
   * Appends the images of the binary file or, when there is none, of the picture strip.
   *
   * @param checks whether to compare with the digest; a strip always is
   */
  void read(SetFolder folder, boolean checks, ImageSet.Builder builder) {
    if (folder.has(binaryName()) || !folder.has(pictureName())) {
      readBinary(folder.require(binaryName()), checks, builder);
      return;
    }
    byte[] records = decode(folder);
    for (int i = 0; i < COUNT; i++) {
      builder.add(records, i * RECORD + 1, records[i * RECORD]);
    }
  }

  private void readBinary(Path file, boolean checks, ImageSet.Builder builder) {
    MessageDigest digest = Checksum.digest("MD5");
    byte[] records = new byte[100 * RECORD];
    try (InputStream stream = SetFolder.open(file)) {
      for (int done = 0; done < COUNT; done += 100) {
        int length = stream.readNBytes(records, 0, records.length);
        if (length < records.length) {
          throw new UserException(
              "%s: the file is cut off at byte %d of %d; fetch or copy it again"
                  .formatted(file, (long) done * RECORD + length, (long) COUNT * RECORD));
        }
        if (checks) {
          digest.update(records);
        }
        for (int i = 0; i < 100; i++) {
          builder.add(records, i * RECORD + 1, label(records[i * RECORD], file, done + i));
        }
      }
      if (stream.read() >= 0) {
        throw new UserException(
            "%s: the file is longer than %d bytes; fetch or copy it again"
                .formatted(file, (long) COUNT * RECORD));
      }
    } catch (IOException failure) {
      throw new UserException(
          "%s: cannot be read: %s".formatted(file, FileProblem.reason(failure)), failure);
    }
    if (checks) {
      Checksum.requireMd5(digest, md5, file.toString());
    }
  }

  private static int label(byte value, Path file, int record) {
    if (value < 0 || value >= CLASSES) {
      throw new UserException(
          "%s: label out of range at byte %d: label=%d, classes=%d; fetch or copy the file again"
              .formatted(file, (long) record * RECORD, value & 0xff, CLASSES));
    }
    return value;
  }

  /** Makes the official binary file out of a picture with one image a row and a list of labels. */
  byte[] decode(SetFolder folder) {
    Path file = folder.require(pictureName());
    BufferedImage strip = Pictures.decode(file);
    if (strip.getWidth() != PIXELS / 3 || strip.getHeight() != COUNT) {
      throw new UserException(
          "%s: the picture has the wrong size: %d x %d, expected %d x %d"
              .formatted(file, strip.getWidth(), strip.getHeight(), PIXELS / 3, COUNT));
    }
    int[] labels = labels(folder.require(isTest() ? "test_lables.json" : "train_lables.json"));
    byte[] records = new byte[COUNT * RECORD];
    int[] row = new int[PIXELS / 3];
    for (int image = 0; image < COUNT; image++) {
      int at = image * RECORD;
      records[at] = (byte) labels[first + image];
      strip.getRGB(0, image, row.length, 1, row, 0, row.length);
      for (int i = 0; i < row.length; i++) {
        records[at + 1 + i] = (byte) (row[i] >> 16);
        records[at + 1 + row.length + i] = (byte) (row[i] >> 8);
        records[at + 1 + 2 * row.length + i] = (byte) row[i];
      }
    }
    Checksum.requireMd5(records, md5, file.toString());
    return records;
  }

  private int[] labels(Path file) {
    try {
      int[] labels = JsonMapper.shared().readValue(file.toFile(), int[].class);
      if (labels.length < first + COUNT) {
        throw new UserException(
            "%s: too few labels: labels=%d, needed=%d"
                .formatted(file, labels.length, first + COUNT));
      }
      return labels;
    } catch (JacksonException damaged) {
      throw new UserException(
          "%s: not a list of labels: %s".formatted(file, damaged.getOriginalMessage()), damaged);
    }
  }
}
