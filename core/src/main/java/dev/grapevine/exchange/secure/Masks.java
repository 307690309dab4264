package dev.grapevine.exchange.secure;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.Slot;

/** One node's keys at work, or their stand-ins in a run that only shows what masks cost. */
public interface Masks {

  /** Masks that are put on numbers together, block by block. */
  interface Stream {

    /** One more mask that is added. */
    void add(byte[] seed);

    /** One more mask that is taken off. */
    void subtract(byte[] seed);

    /** Puts all masks on the next numbers; every call goes on where the one before ended. */
    void apply(int[] numbers, int from, int count);
  }

  /** A seed for the node's own mask, never used before. */
  byte[] draw();

  /** The seed that the node has in common with a peer in a slot. */
  byte[] seed(int peer, Slot slot);

  /** A secret cut into shares. */
  byte[][] split(byte[] secret, int shares, int threshold);

  /** What the node tells a peer through the receiver. */
  byte[] seal(int peer, Slot slot, byte[] share);

  /**
   * What a peer told this node.
   *
   * @throws MalformedPayloadException when it did not
   */
  byte[] open(int peer, Slot slot, byte[] sealed);

  /** For numbers of so many bits, without masks yet; ends the stream that was had before. */
  Stream stream(int bits, Scratch scratch);
}
