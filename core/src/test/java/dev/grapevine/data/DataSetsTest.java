package dev.grapevine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.data.partition.Iid;
import dev.grapevine.engine.Batch;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DataSetsTest {

  @Test
  void imagesAreNormalisedChannelByChannelAsPyTorchDoes() {
    ImageFormat format =
        new ImageFormat(2, 1, 2, new float[] {0.5f, 0.1307f}, new float[] {0.5f, 0.3081f});
    ImageSet.Builder builder = new ImageSet.Builder("t", format, List.of("a", "b", "c"));
    builder.add(new byte[] {7, 0, (byte) 255, 51, (byte) 200}, 1, 2);
    ImageSet set = builder.build();
    Batch batch = set.batch(3);
    set.read(0, batch, 1);
    assertThat(batch.inputs()[4]).isEqualTo(-1f);
    assertThat(batch.inputs()[5]).isEqualTo(1f);
    assertThat(batch.inputs()[6]).isEqualTo((51 / 255f - 0.1307f) / 0.3081f);
    assertThat(batch.inputs()[7]).isEqualTo((200 / 255f - 0.1307f) / 0.3081f);
    assertThat(batch.targets()[1]).isEqualTo(2f);
    assertThat(format.denormalise(1, batch.inputs()[7])).isEqualTo(200);
    assertThat(set.inputShape()).containsExactly(2, 1, 2);
  }

  @Test
  void imagesSurviveChunkBorders() {
    ImageFormat format = ImageFormat.plain(1, 300, 300);
    ImageSet.Builder builder = new ImageSet.Builder("t", format, List.of("a"));
    byte[] pixels = new byte[format.size()];
    for (int i = 0; i < 37; i++) {
      pixels[0] = (byte) i;
      pixels[format.size() - 1] = (byte) (2 * i);
      builder.add(pixels, 0, 0);
    }
    ImageSet set = builder.build();
    Batch batch = set.batch(1);
    for (int i = 0; i < 37; i++) {
      set.read(i, batch, 0);
      assertThat(batch.inputs()[0]).isEqualTo(i / 255f);
      assertThat(batch.inputs()[format.size() - 1]).isEqualTo(2 * i / 255f);
    }
  }

  @Test
  void windowsThatSlideByOneShareTheirTokens() {
    int[] text = IntStream.range(0, 200).map(i -> i * 7 % 50).toArray();
    SequenceSet.Builder builder = new SequenceSet.Builder("t", 10, 50, 50);
    for (int start = 0; start + 10 < text.length; start++) {
      builder.add(text, start, text[start + 10]);
    }
    builder.add(text, 3, 1);
    SequenceSet set = builder.build(Users.NONE);
    assertThat(set.storedTokens()).isEqualTo(199 + 10);
    Batch batch = set.batch(1);
    for (int sample : new int[] {0, 1, 57, 189, 190}) {
      set.read(sample, batch, 0);
      int start = sample == 190 ? 3 : sample;
      for (int i = 0; i < 10; i++) {
        assertThat(batch.inputs()[i]).isEqualTo(text[start + i]);
      }
      assertThat(set.label(sample)).isEqualTo(sample == 190 ? 1 : text[start + 10]);
    }
  }

  @Test
  void validationIsTakenOutOfWhatIsAsked() {
    DataSplits splits =
        new DataSplits(TestSets.labelled(100, 3, 5, 1), TestSets.labelled(50, 3, 0, 2));
    DataSplits fromTrain =
        splits.withValidation(
            new DataSettings(false, 0.1, DataSettings.ValidationFrom.TRAIN), new SplitMix(1));
    assertThat(fromTrain.train().size()).isEqualTo(90);
    assertThat(fromTrain.validation().orElseThrow().size()).isEqualTo(10);
    assertThat(fromTrain.test().size()).isEqualTo(50);
    assertThat(fromTrain.train().users().ofSample()).hasSize(90);
    DataSplits fromTest =
        splits.withValidation(
            new DataSettings(false, 0.5, DataSettings.ValidationFrom.TEST), new SplitMix(1));
    assertThat(fromTest.train().size()).isEqualTo(100);
    assertThat(fromTest.validation().orElseThrow().size()).isEqualTo(25);
    assertThat(fromTest.test().size()).isEqualTo(25);
    assertThat(splits.withValidation(DataSettings.NONE, new SplitMix(1))).isSameAs(splits);
    assertThatThrownBy(() -> new DataSettings(false, 1, DataSettings.ValidationFrom.TRAIN))
        .isInstanceOf(SettingException.class);
  }

  @Test
  void onlyImagesCanBeAugmented() {
    DataSource values = () -> new DataSplits(TestSets.values(10), TestSets.values(10));
    DataSettings augment = new DataSettings(true, 0, DataSettings.ValidationFrom.TRAIN);
    assertThatThrownBy(() -> DealtData.prepare(values, new Iid(), augment, 2, 1))
        .hasMessageContaining("only images");
  }
}
