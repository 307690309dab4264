package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Labelled images, one byte a value, in chunks so that a set may pass two gigabytes. */
public final class ImageSet implements DataSet {

  private static final int CHUNK_BYTES = 1 << 20;

  private final String name;
  private final ImageFormat format;
  private final List<String> classNames;
  private final byte[][] chunks;
  private final int chunkShift;
  private final int[] labels;
  private final int @Nullable [] places;
  private final Users users;
  private final float[][] floats;

  private ImageSet(Builder builder, Users users) {
    name = builder.name;
    format = builder.format;
    classNames = builder.classNames;
    chunkShift = builder.chunkShift;
    chunks = builder.chunks.toArray(byte[][]::new);
    labels = Arrays.copyOf(builder.labels, builder.size);
    places = builder.kept == builder.size ? null : Arrays.copyOf(builder.places, builder.size);
    this.users = users;
    floats = new float[format.channels()][256];
    for (int channel = 0; channel < format.channels(); channel++) {
      for (int value = 0; value < 256; value++) {
        floats[channel][value] = format.normalise(channel, value);
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public int classes() {
    return classNames.size();
  }

  @Override
  public int[] inputShape() {
    return new int[] {format.channels(), format.height(), format.width()};
  }

  @Override
  public int label(int sample) {
    return labels[sample];
  }

  @Override
  public String className(int label) {
    return classNames.get(label);
  }

  @Override
  public Users users() {
    return users;
  }

  @Override
  public Optional<ImageFormat> image() {
    return Optional.of(format);
  }

  @Override
  public void read(int sample, Batch batch, int slot) {
    int place = places == null ? sample : places[sample];
    if (place < 0) {
      throw new IllegalStateException("sample %d is not held in this process".formatted(sample));
    }
    byte[] chunk = chunks[place >>> chunkShift];
    int size = format.size();
    int plane = format.height() * format.width();
    int from = (place & ((1 << chunkShift) - 1)) * size;
    float[] inputs = batch.inputs();
    int to = slot * size;
    for (float[] table : floats) {
      for (int i = 0; i < plane; i++) {
        inputs[to + i] = table[chunk[from + i] & 0xff];
      }
      from += plane;
      to += plane;
    }
    batch.targets()[slot] = labels[sample];
  }

  /** Collects images; the set takes over its memory. */
  public static final class Builder {

    private final String name;
    private final ImageFormat format;
    private final List<String> classNames;
    private final List<byte[]> chunks = new ArrayList<>();
    private final int chunkShift;
    private final IntPredicate wanted;
    private int[] labels = new int[1024];
    private int[] places = new int[1024];
    private int size;
    private int kept;

    public Builder(String name, ImageFormat format, List<String> classNames) {
      this(name, format, classNames, sample -> true);
    }

    /**
     * @param wanted which samples can be read later; the others have their labels only
     */
    public Builder(String name, ImageFormat format, List<String> classNames, IntPredicate wanted) {
      this.wanted = wanted;
      this.name = name;
      this.format = format;
      this.classNames = List.copyOf(classNames);
      int perChunk = Math.max(1, CHUNK_BYTES / format.size());
      chunkShift = 31 - Integer.numberOfLeadingZeros(perChunk);
    }

    public int size() {
      return size;
    }

    /** Appends the image that starts at {@code offset}, channel after channel. */
    public void add(byte[] pixels, int offset, int label) {
      if (size == labels.length) {
        labels = Arrays.copyOf(labels, size * 2);
        places = Arrays.copyOf(places, size * 2);
      }
      places[size] = wanted.test(size) ? keep(pixels, offset) : -1;
      labels[size++] = label;
    }

    private int keep(byte[] pixels, int offset) {
      int perChunk = 1 << chunkShift;
      int place = kept & (perChunk - 1);
      if (place == 0) {
        chunks.add(new byte[perChunk * format.size()]);
      }
      System.arraycopy(pixels, offset, chunks.getLast(), place * format.size(), format.size());
      return kept++;
    }

    /** Gives an image that was added before its label was known the label. */
    public void label(int sample, int label) {
      labels[sample] = label;
    }

    public ImageSet build() {
      return build(Users.NONE);
    }

    public ImageSet build(Users users) {
      if (!chunks.isEmpty()) {
        int inLast = kept - ((chunks.size() - 1) << chunkShift);
        chunks.set(chunks.size() - 1, Arrays.copyOf(chunks.getLast(), inLast * format.size()));
      }
      return new ImageSet(this, users);
    }
  }
}
