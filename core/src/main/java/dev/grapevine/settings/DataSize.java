package dev.grapevine.settings;

/** A number of bytes, written {@code "64 KiB"}. */
public record DataSize(long bytes) {

  /** Reads {@code 64 KiB} or {@code 1.5 MB}. */
  public static DataSize parse(String text) {
    return new DataSize(Math.round(Quantity.parse(text, Quantity.SIZE)));
  }

  @Override
  public String toString() {
    return Quantity.format(bytes, Quantity.SIZE_SHOWN);
  }
}
