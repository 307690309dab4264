package dev.grapevine.data;

/**
 * The layout of images and how a byte becomes a float: {@code (value / 255 - mean) / deviation},
 * channel by channel.
 *
 * @param channels 1 for grey, 3 for red, green, blue
 * @param height rows
 * @param width columns
 * @param mean what is subtracted, on the scale 0 to 1
 * @param deviation what is divided by
 */
public record ImageFormat(int channels, int height, int width, float[] mean, float[] deviation) {

  /** Images whose floats lie between 0 and 1. */
  public static ImageFormat plain(int channels, int height, int width) {
    return uniform(channels, height, width, 0, 1);
  }

  /** The same mean and deviation in all channels. */
  public static ImageFormat uniform(
      int channels, int height, int width, double mean, double deviation) {
    float[] means = new float[channels];
    float[] deviations = new float[channels];
    java.util.Arrays.fill(means, (float) mean);
    java.util.Arrays.fill(deviations, (float) deviation);
    return new ImageFormat(channels, height, width, means, deviations);
  }

  /** Bytes per image. */
  public int size() {
    return channels * height * width;
  }

  /** The float for a byte, computed as PyTorch's transforms do. */
  public float normalise(int channel, int value) {
    return (value / 255f - mean[channel]) / deviation[channel];
  }

  /** The byte for a float. */
  public int denormalise(int channel, float value) {
    return Math.clamp(Math.round((value * deviation[channel] + mean[channel]) * 255f), 0, 255);
  }
}
