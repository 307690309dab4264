package dev.grapevine.data.partition;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads who gets what from a JSON file, an array with one array of sample numbers per node, such as
 * {@code [[0, 2], [1, 3]]}. Samples that the file leaves out are not used; a sample named twice is
 * a mistake unless {@code repeats} allows it. {@link #write} makes such a file.
 */
@Kind(name = "file", summary = "a JSON file with one list of sample numbers per node")
public final class FromFile implements Partitioner {

  /**
   * @param partitionFile path, relative to the experiment file
   * @param repeats whether several nodes may hold the same sample
   */
  public record Settings(
      @Doc("JSON file: an array with an array of sample numbers per node") String partitionFile,
      @Doc("whether a sample may be dealt more than once") @Default("false") boolean repeats) {}

  private final Settings settings;
  private final Path file;

  public FromFile(Settings settings, DataContext context) {
    this.settings = settings;
    file = context.resolve(settings.partitionFile());
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    List<int[]> lists = read(train.size());
    if (lists.size() != nodes) {
      throw new SettingException(
          "partition-file",
          "the file must have one list per node: lists=%d, nodes=%d, file=%s"
              .formatted(lists.size(), nodes, file));
    }
    for (int node = 0; node < nodes; node++) {
      if (lists.get(node).length == 0) {
        throw new SettingException(
            "partition-file", "a node gets no samples: node=%d, file=%s".formatted(node, file));
      }
    }
    return lists.toArray(int[][]::new);
  }

  private List<int[]> read(int samples) {
    try (JsonParser parser =
        JsonFactory.builder().build().createParser(ObjectReadContext.empty(), file)) {
      List<int[]> lists = new ArrayList<>();
      BitSet seen = new BitSet(samples);
      expect(parser, parser.nextToken(), JsonToken.START_ARRAY);
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        expect(parser, parser.currentToken(), JsonToken.START_ARRAY);
        lists.add(list(parser, samples, seen));
      }
      return lists;
    } catch (JacksonException damaged) {
      if (!Files.isReadable(file)) {
        throw new SettingException("partition-file", "cannot read the file: file=" + file);
      }
      throw new UserException(
          "%s:%d:%d: not the JSON of a partition: %s"
              .formatted(
                  file,
                  damaged.getLocation().getLineNr(),
                  damaged.getLocation().getColumnNr(),
                  damaged.getOriginalMessage()),
          damaged);
    }
  }

  private int[] list(JsonParser parser, int samples, BitSet seen) {
    int[] numbers = new int[16];
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser, parser.currentToken(), JsonToken.VALUE_NUMBER_INT);
      int sample = parser.getIntValue();
      if (sample < 0 || sample >= samples) {
        throw mistake(
            parser, "no such sample: %d; samples are 0 to %d".formatted(sample, samples - 1));
      }
      if (seen.get(sample) && !settings.repeats()) {
        throw mistake(
            parser, "sample %d is dealt twice; remove it or set repeats = true".formatted(sample));
      }
      seen.set(sample);
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, count * 2);
      }
      numbers[count++] = sample;
    }
    return Arrays.copyOf(numbers, count);
  }

  private void expect(JsonParser parser, JsonToken found, JsonToken wanted) {
    if (found != wanted) {
      throw mistake(
          parser, "expected an array with an array of sample numbers per node, but found " + found);
    }
  }

  private UserException mistake(JsonParser parser, String what) {
    return new UserException(
        "%s:%d:%d: %s"
            .formatted(
                file,
                parser.currentTokenLocation().getLineNr(),
                parser.currentTokenLocation().getColumnNr(),
                what));
  }

  /** Writes a deal in the form that this class reads. */
  public static void write(int[][] shards, Path file) {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write("[\n");
      for (int node = 0; node < shards.length; node++) {
        writer.write(Arrays.toString(shards[node]));
        writer.write(node + 1 < shards.length ? ",\n" : "\n");
      }
      writer.write("]\n");
    } catch (IOException failure) {
      throw new UserException(
          "cannot write the partition: file=%s (%s)".formatted(file, FileProblem.reason(failure)));
    }
  }
}
