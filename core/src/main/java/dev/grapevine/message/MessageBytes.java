package dev.grapevine.message;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Messages that a node keeps, as bytes for its state. */
public final class MessageBytes {

  private static final int HEADER = 6 * Integer.BYTES;

  private MessageBytes() {}

  public static byte[] write(Collection<Message> messages) {
    int size = 0;
    for (Message message : messages) {
      size = Math.addExact(size, HEADER + message.payload().size());
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (Message message : messages) {
      Payload payload = message.payload();
      out.putInt(message.sender())
          .putInt(message.tag())
          .putInt(message.channel())
          .putInt(message.round())
          .putInt(payload.size())
          .putInt(payload.metadataSize())
          .put(payload.buffer());
    }
    return out.array();
  }

  public static List<Message> read(byte[] bytes) {
    List<Message> messages = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      int sender = in.getInt();
      int tag = in.getInt();
      int channel = in.getInt();
      int round = in.getInt();
      byte[] content = new byte[in.getInt()];
      int metadata = in.getInt();
      in.get(content);
      messages.add(
          new Message(sender, tag, channel, round, Payload.of(content, content.length, metadata)));
    }
    return messages;
  }
}
