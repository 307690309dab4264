package dev.grapevine.exchange;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All that a node combines in one round, by rising sender so that sums come out the same every
 * time. The weights and {@code selfWeight} add up to one; when a peer is missing, its weight has
 * gone to the node itself.
 */
public record Received(int round, double selfWeight, List<Contribution> contributions) {

  /** One message, for whoever has no other. */
  public static Received only(int round, Message message, double weight) {
    return new Received(
        round, 1 - weight, List.of(new Contribution(message.sender(), weight, message.payload())));
  }

  /**
   * Messages that came outside a topology's plan: all count the same, the node's own vector
   * included. By rising sender, then round; what came twice counts once.
   */
  public static Received uniform(int round, List<Message> messages) {
    List<Message> sorted = new ArrayList<>(messages);
    sorted.sort(Comparator.comparingInt(Message::sender).thenComparingInt(Message::round));
    for (int i = sorted.size() - 1; i > 0; i--) {
      Message before = sorted.get(i - 1);
      if (before.sender() == sorted.get(i).sender() && before.round() == sorted.get(i).round()) {
        sorted.remove(i);
      }
    }
    double weight = 1.0 / (sorted.size() + 1);
    List<Contribution> contributions = new ArrayList<>(sorted.size());
    for (Message message : sorted) {
      contributions.add(new Contribution(message.sender(), weight, message.payload()));
    }
    return new Received(round, 1 - weight * sorted.size(), contributions);
  }

  /** What a protocol makes of one contribution, such as taking an envelope off. */
  @FunctionalInterface
  public interface Opening {

    /**
     * The contribution as it is to be combined; its weight may be another.
     *
     * @throws MalformedPayloadException when it makes no sense
     */
    Contribution open(Contribution contribution);
  }

  /** Whom to tell of a contribution that makes no sense, such as {@code Node.reject}. */
  @FunctionalInterface
  public interface Complaints {
    void reject(int sender, MalformedPayloadException complaint);
  }

  /**
   * The same contributions, opened, without those that make no sense. Whatever the weights lack to
   * one is the node's own.
   */
  public Received opened(Opening opening, Complaints complaints) {
    List<Contribution> opened = new ArrayList<>(contributions.size());
    double self = 1;
    for (Contribution contribution : contributions) {
      try {
        Contribution each = opening.open(contribution);
        self -= each.weight();
        opened.add(each);
      } catch (MalformedPayloadException malformed) {
        complaints.reject(contribution.sender(), malformed);
      }
    }
    return new Received(round, self, opened);
  }
}
