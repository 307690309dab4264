package dev.grapevine.protocol;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Looks at what came before anything is done with it. */
final class Sound {

  private Sound() {}

  /** Holds a payload to some bytes and then a vector. */
  static void requireVector(Payload payload, int bytesBefore, int length) {
    long wanted = bytesBefore + (long) length * Float.BYTES;
    if (payload.size() != wanted) {
      throw new MalformedPayloadException(
          "a vector of %d values needs %d bytes, the message has %d"
              .formatted(length, wanted, payload.size()));
    }
  }

  /**
   * What {@code open} makes of each contribution, without those that make no sense; their weight
   * goes to the node itself. The weights may be changed by {@code open}: whatever they lack to one
   * is the node's own.
   */
  static Received open(Node self, Received received, UnaryOperator<Contribution> open) {
    List<Contribution> sound = new ArrayList<>(received.contributions().size());
    double selfWeight = 1;
    for (Contribution contribution : received.contributions()) {
      try {
        Contribution opened = open.apply(contribution);
        selfWeight -= opened.weight();
        sound.add(opened);
      } catch (MalformedPayloadException malformed) {
        self.reject(contribution.sender(), malformed);
      }
    }
    return new Received(received.round(), selfWeight, sound);
  }
}
