package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.SavedRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * TensorBoard's event files: records of a length, its checksum, an {@code Event} message of
 * protocol buffers and its checksum. For every metric there is the mean over the nodes under its
 * own name, and the lowest and the highest node under {@code name/lowest} and {@code name/highest}.
 */
final class TensorBoardEvents {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final double start;

  private TensorBoardEvents(double start) {
    this.start = start;
  }

  /** Writes one event file; returns it. */
  static Path write(SavedRun run, Path directory) {
    double start = RunTimes.start(run).toEpochMilli() / 1e3;
    TensorBoardEvents events = new TensorBoardEvents(start);
    events.record(event(start, 0, field(3, BYTES), text("brain.Event:2")));
    for (String metric : run.metrics()) {
      MetricColumn column = run.metric(metric).orElseThrow();
      for (int i = 0; i < column.rounds(); i++) {
        double[] values = Arrays.stream(column.values(i)).filter(v -> !Double.isNaN(v)).toArray();
        if (values.length == 0) {
          continue;
        }
        long step = column.round(i) + 1L;
        double time = column.time(i);
        events.scalar(metric, step, time, Arrays.stream(values).average().orElseThrow());
        if (values.length > 1) {
          events.scalar(metric + "/lowest", step, time, Arrays.stream(values).min().orElseThrow());
          events.scalar(metric + "/highest", step, time, Arrays.stream(values).max().orElseThrow());
        }
      }
    }
    // TensorBoard takes files of this name for its own.
    Path file = directory.resolve("events.out.tfevents.%010d.grapevine".formatted((long) start));
    try {
      Files.createDirectories(directory);
      Files.write(file, events.file.toByteArray());
    } catch (IOException e) {
      throw new UserException("cannot write " + file + ": " + FileProblem.reason(e), e);
    }
    return file;
  }

  private void scalar(String tag, long step, double time, double value) {
    ByteArrayOutputStream number = new ByteArrayOutputStream();
    number.writeBytes(field(2, FIXED32));
    number.writeBytes(little(4).putFloat((float) value).array());
    byte[] entry = joined(field(1, BYTES), text(tag), number.toByteArray());
    byte[] summary = joined(field(1, BYTES), sized(entry));
    record(event(start + time, step, field(5, BYTES), sized(summary)));
  }

  private static byte[] event(double time, long step, byte[]... rest) {
    byte[] head = joined(field(1, FIXED64), little(8).putDouble(time).array());
    // A zero is left out, as protocol buffers do.
    byte[] number = step == 0 ? new byte[0] : joined(field(2, VARINT), varint(step));
    return joined(head, number, joined(rest));
  }

  private void record(byte[] message) {
    byte[] length = little(8).putLong(message.length).array();
    file.writeBytes(length);
    file.writeBytes(little(4).putInt(checksum(length)).array());
    file.writeBytes(message);
    file.writeBytes(little(4).putInt(checksum(message)).array());
  }

  /** CRC-32C, turned and shifted as TensorFlow does, so that a checksum of one is not the same. */
  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    int value = (int) crc.getValue();
    return (value >>> 15 | value << 17) + 0xa282ead8;
  }

  private static byte[] field(int number, int kind) {
    return varint(number << 3 | kind);
  }

  private static byte[] text(String text) {
    return sized(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] sized(byte[] bytes) {
    return joined(varint(bytes.length), bytes);
  }

  private static byte[] varint(long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return out.toByteArray();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
