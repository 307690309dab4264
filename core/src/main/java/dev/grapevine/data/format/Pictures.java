package dev.grapevine.data.format;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** PNG and JPEG files as planes of bytes. */
public final class Pictures {

  private Pictures() {}

  /** Decodes a PNG or JPEG file. */
  public static BufferedImage decode(Path file) {
    try (InputStream stream = Files.newInputStream(file)) {
      return decode(stream, file.toString());
    } catch (IOException failure) {
      throw new UserException(
          "cannot read the image: file=%s (%s)".formatted(file, FileProblem.reason(failure)));
    }
  }

  /** Decodes a PNG or JPEG stream; {@code name} is for messages. */
  public static BufferedImage decode(InputStream stream, String name) {
    @Nullable BufferedImage image;
    try {
      image = ImageIO.read(stream);
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException failure) {
      // The JDK's decoders also let unchecked exceptions escape for damaged files.
      throw new UserException(
          "%s: damaged image: %s; fetch or copy the file again"
              .formatted(name, failure.getMessage()),
          failure);
    }
    if (image == null) {
      throw new UserException(
          "%s: not an image: PNG and JPEG are understood; remove or convert the file"
              .formatted(name));
    }
    return image;
  }

  /** Scales to the given size, smoothly, and gives the planes red, green, blue (or grey alone). */
  public static byte[] planes(BufferedImage image, int channels, int height, int width) {
    BufferedImage scaled = image;
    if (image.getWidth() != width
        || image.getHeight() != height
        || image.getType() != BufferedImage.TYPE_INT_RGB) {
      scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = scaled.createGraphics();
      graphics.setRenderingHint(
          RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
      graphics.drawImage(image, 0, 0, width, height, null);
      graphics.dispose();
    }
    int plane = height * width;
    byte[] planes = new byte[channels * plane];
    int[] row = new int[width];
    for (int y = 0; y < height; y++) {
      scaled.getRGB(0, y, width, 1, row, 0, width);
      for (int x = 0; x < width; x++) {
        int red = row[x] >> 16 & 0xff;
        int green = row[x] >> 8 & 0xff;
        int blue = row[x] & 0xff;
        int at = y * width + x;
        if (channels == 1) {
          // Luma as in ITU-R BT.601, the weights that PIL and torchvision use for grey.
          planes[at] = (byte) ((299 * red + 587 * green + 114 * blue + 500) / 1000);
        } else {
          planes[at] = (byte) red;
          planes[plane + at] = (byte) green;
          planes[2 * plane + at] = (byte) blue;
        }
      }
    }
    return planes;
  }
}
