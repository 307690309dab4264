package dev.grapevine.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.random.SplitMix;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PicturesTest {

  @TempDir Path folder;

  @Test
  void givesPlanesOfRedGreenBlueOrGrey() {
    BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, 0x102030);
    image.setRGB(1, 0, 0xffffff);
    assertThat(Pictures.planes(image, 3, 1, 2)).containsExactly(0x10, -1, 0x20, -1, 0x30, -1);
    assertThat(Pictures.planes(image, 1, 1, 2)[1]).isEqualTo((byte) 255);
    assertThat(Pictures.planes(image, 3, 4, 4)).hasSize(48);
  }

  @Test
  void refusesCutOffPicturesAndOtherFiles() throws IOException {
    byte[] png = png();
    Path cut = Files.write(folder.resolve("cut.png"), Arrays.copyOf(png, png.length / 2));
    assertThatThrownBy(() -> Pictures.decode(cut))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("cut.png: damaged image");
    Path text = Files.writeString(folder.resolve("text.png"), "no picture");
    assertThatThrownBy(() -> Pictures.decode(text)).hasMessageContaining("not an image");
    assertThatThrownBy(() -> Pictures.decode(folder.resolve("absent.png")))
        .isInstanceOf(UserException.class);
  }

  @Test
  void damagedPicturesAreDecodedOrRefused() throws IOException {
    SplitMix random = new SplitMix(7);
    byte[] png = png();
    for (int trial = 0; trial < 500; trial++) {
      byte[] mutated = Mutations.of(png, random);
      // A damaged header may ask for a picture of gigabytes, which is not what is tested here.
      if (!Arrays.equals(Arrays.copyOf(mutated, 33), Arrays.copyOf(png, 33))) {
        continue;
      }
      try {
        Pictures.decode(new ByteArrayInputStream(mutated), "f");
      } catch (UserException expected) {
        assertThat(expected).hasMessageStartingWith("f: ");
      }
    }
  }

  private static byte[] png() throws IOException {
    BufferedImage image = new BufferedImage(40, 40, BufferedImage.TYPE_INT_RGB);
    SplitMix random = new SplitMix(1);
    for (int i = 0; i < 1600; i++) {
      image.setRGB(i % 40, i / 40, random.nextInt(0x1000000));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }
}
