package dev.grapevine.settings;

/** How fast bits flow, written {@code "100 Mbit/s"}. */
public record Bandwidth(double bitsPerSecond) {

  /** Reads {@code 100 Mbit/s} or {@code 12.5 MB/s}. */
  public static Bandwidth parse(String text) {
    return new Bandwidth(Quantity.parse(text, Quantity.BANDWIDTH));
  }

  public double bytesPerSecond() {
    return bitsPerSecond / 8;
  }

  @Override
  public String toString() {
    return Quantity.format(bitsPerSecond, Quantity.BANDWIDTH_SHOWN);
  }
}
