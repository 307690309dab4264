package dev.grapevine.protocol;

import dev.grapevine.message.Message;
import dev.grapevine.node.Node;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A client's wait for its server's next request. Of several that have come the latest counts, and
 * none counts twice. A client gives up when its server is gone, or when it has heard nothing for as
 * long as the experiment allows; see {@link Replies}.
 */
public final class Requests {

  /** Beyond it, patience has no end. */
  private static final Duration LONG = Duration.ofDays(365);

  private final Node self;
  private final Duration patience;
  private @Nullable Message next;
  private int last = -1;
  private boolean ended;
  private int heard;

  public Requests(Node self, int[] requestTags, int endTag, int aliveTag) {
    this(self, requestTags, endTag, aliveTag, 1);
  }

  /**
   * @param patience how many times as long as usual the server may be silent
   */
  Requests(Node self, int[] requestTags, int endTag, int aliveTag, int patience) {
    this.self = self;
    Duration usual = self.patience();
    this.patience = usual.compareTo(LONG) < 0 ? usual.multipliedBy(patience) : usual;
    self.state().value("last-request", () -> last, saved -> last = (int) saved);
    for (int tag : requestTags) {
      self.onMessage(tag, this::take);
    }
    self.onMessage(endTag, end -> ended = true);
    self.onMessage(aliveTag, alive -> heard++);
  }

  private void take(Message request) {
    if (request.round() > last && request.sender() >= self.learners()) {
      heard++;
      next = request;
    }
  }

  /** Whether no server is left that could ask for anything. */
  private boolean isLeft() {
    return IntStream.range(self.learners(), self.nodes()).allMatch(self::isGone);
  }

  /** The next request; null when there will be none. */
  public @Nullable Message next() throws InterruptedException {
    while (next == null && !ended) {
      int before = heard;
      if (!self.awaitRequest(() -> ended || heard > before || isLeft(), patience)
          || (next == null && isLeft())) {
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
