package dev.grapevine.security;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few pieces of ASN.1 DER (X.690) that a certificate is made of. */
final class Der {

  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final DateTimeFormatter SHORT_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LONG_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  /** From this year on times are written with four digits of the year (RFC 5280, 4.1.2.5). */
  private static final int LONG_YEARS = 2050;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(SEQUENCE, parts);
  }

  static byte[] set(byte[]... parts) {
    return tagged(SET, parts);
  }

  /** A part with a number of its own in its context, as in {@code [3] EXPLICIT}. */
  static byte[] explicit(int number, byte[]... parts) {
    return tagged(0xa0 | number, parts);
  }

  /** Text with a number of its own in its context, as in {@code [6] IMPLICIT IA5String}. */
  static byte[] implicitText(int number, String ascii) {
    return tagged(0x80 | number, ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Bytes with a number of their own in their context. */
  static byte[] implicitBytes(int number, byte[] bytes) {
    return tagged(0x80 | number, bytes);
  }

  static byte[] yes() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  /** A string of whole bytes. */
  static byte[] bits(byte[] bytes) {
    return tagged(0x03, new byte[] {0}, bytes);
  }

  /** Flags by number: the first is the highest bit; zeros at the end are left out, as DER asks. */
  static byte[] flags(int... numbers) {
    int value = 0;
    int last = 0;
    for (int number : numbers) {
      value |= 0x80 >> number;
      last = Math.max(last, number);
    }
    return tagged(0x03, new byte[] {(byte) (7 - last), (byte) value});
  }

  static byte[] octets(byte[] bytes) {
    return tagged(0x04, bytes);
  }

  static byte[] text(String text) {
    return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant time) {
    boolean isLong = time.atOffset(ZoneOffset.UTC).getYear() >= LONG_YEARS;
    String text = (isLong ? LONG_TIME : SHORT_TIME).format(time);
    return tagged(isLong ? 0x18 : 0x17, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier, written with dots. */
  static byte[] identifier(String dotted) {
    String[] numbers = dotted.split("\\.");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(40 * Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]));
    for (int i = 2; i < numbers.length; i++) {
      int number = Integer.parseInt(numbers[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (number >>> shift != 0) {
          out.write(0x80 | number >>> shift & 0x7f);
        }
      }
      out.write(number & 0x7f);
    }
    return tagged(0x06, out.toByteArray());
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] size = BigInteger.valueOf(length).toByteArray();
      int skipped = size[0] == 0 ? 1 : 0;
      out.write(0x80 | size.length - skipped);
      out.write(size, skipped, size.length - skipped);
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
