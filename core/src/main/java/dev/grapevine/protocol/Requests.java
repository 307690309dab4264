package dev.grapevine.protocol;

import dev.grapevine.message.Message;
import dev.grapevine.node.Node;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's wait for its server's next request. Of several that have come the latest counts, and
 * none counts twice. A client gives up when it has heard nothing for as long as the experiment
 * allows; see {@link Replies}.
 */
final class Requests {

  private final Node self;
  private @Nullable Message next;
  private int last = -1;
  private boolean ended;
  private int heard;

  /**
   * @param check throws {@link dev.grapevine.message.MalformedPayloadException} for a request that
   *     cannot be used
   */
  Requests(Node self, int[] requestTags, int endTag, int aliveTag, Consumer<Message> check) {
    this.self = self;
    for (int tag : requestTags) {
      self.onMessage(tag, request -> take(request, check));
    }
    self.onMessage(endTag, end -> ended = true);
    self.onMessage(aliveTag, alive -> heard++);
  }

  private void take(Message request, Consumer<Message> check) {
    if (request.round() > last && request.sender() >= self.learners()) {
      heard++;
      check.accept(request);
      next = request;
    }
  }

  /** The next request; null when there will be none. */
  @Nullable Message next() throws InterruptedException {
    while (next == null && !ended) {
      int before = heard;
      if (!self.await(() -> ended || heard > before, self.patience())) {
        return null;
      }
    }
    Message request = next;
    if (request != null) {
      last = request.round();
    }
    next = null;
    return request;
  }
}
