package dev.grapevine.network;

import java.util.List;
import java.util.Optional;

/** What a frame is for, with its number on the wire. */
public enum FrameKind {
  /** A message with its payload. */
  MESSAGE(1),
  /** The sender will send no more. */
  GOODBYE(2),
  /** Between processes: the receiver's mailbox is full, so send it nothing for now. */
  PAUSE(3),
  /** Between processes: the receiver can take messages again. */
  RESUME(4),
  /**
   * Between processes: a message with the payload of the message before it, which is not repeated.
   */
  SAME(5);

  private static final List<FrameKind> ALL = List.of(values());

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  boolean isMessage() {
    return this == MESSAGE || this == SAME;
  }

  /** The kind with a number; empty if there is none. */
  static Optional<FrameKind> of(int code) {
    for (FrameKind kind : ALL) {
      if (kind.code == code) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
