package dev.grapevine.network;

import java.util.List;

/** What a frame is for; its place in this list is its number on the wire. */
public enum FrameKind {
  /** The first frame of a connection, in each direction: who is at this end. */
  HELLO,
  /** A message with its payload. */
  MESSAGE,
  /** The sender will send no more. */
  GOODBYE;

  static final List<FrameKind> ALL = List.of(values());
}
