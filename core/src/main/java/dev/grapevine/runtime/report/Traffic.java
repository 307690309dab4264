package dev.grapevine.runtime.report;

import dev.grapevine.network.FrameHeader;

/**
 * Messages and bytes of a node. Every transport and runtime counts the same: payload with the
 * metadata in it, and {@value FrameHeader#BYTES} bytes of framing for each message.
 *
 * @param messagesSent messages sent
 * @param payloadSent bytes of payload sent, metadata included
 * @param metadataSent bytes of metadata sent
 * @param messagesReceived messages that arrived, wanted or not
 * @param payloadReceived bytes of payload that arrived, metadata included
 * @param metadataReceived bytes of metadata that arrived
 */
public record Traffic(
    long messagesSent,
    long payloadSent,
    long metadataSent,
    long messagesReceived,
    long payloadReceived,
    long metadataReceived) {

  public long framingSent() {
    return bytesSent() - payloadSent;
  }

  public long bytesSent() {
    return FrameHeader.framed(messagesSent, payloadSent);
  }

  public long bytesReceived() {
    return FrameHeader.framed(messagesReceived, payloadReceived);
  }
}
