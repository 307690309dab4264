package dev.grapevine.protocol;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.node.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Gossip-based peer sampling: a node knows only a small view of others, entries of (peer, age), and
 * keeps it random and fresh by swapping halves of it with the oldest peer in it once a round.
 *
 * <p>Jelasity, Voulgaris, Guerraoui, Kermarrec, van Steen: Gossip-based Peer Sampling, 2007, push
 * and pull, oldest partner. {@code healing} old entries go first when a view overflows, then {@code
 * swap} of those just sent, then entries at random.
 */
final class GossipSampler implements PeerSampler {

  private static final int ENTRY_BYTES = 2 * Integer.BYTES;

  private record Entry(int peer, int age) {
    Entry older() {
      return new Entry(peer, age + 1);
    }
  }

  private final Node self;
  private final int shuffleTag;
  private final int replyTag;
  private final int capacity;
  private final int healing;
  private final int swap;
  private List<Entry> view = new ArrayList<>();

  /**
   * @param capacity entries in a full view
   */
  GossipSampler(Node self, int shuffleTag, int replyTag, int capacity, int healing, int swap) {
    this.self = self;
    this.shuffleTag = shuffleTag;
    this.replyTag = replyTag;
    this.capacity = Math.min(capacity, self.learners() - 1);
    this.healing = healing;
    this.swap = swap;
    if (!self.state().holds("view")) {
      for (int peer : Sample.peers(self.random(), self.learners(), self.id(), this.capacity)) {
        view.add(new Entry(peer, 0));
      }
    }
    self.state().values("view", this::peersAndAges, this::restore);
    self.onMessage(shuffleTag, this::answer);
    self.onMessage(replyTag, reply -> select(entries(reply)));
  }

  private long[] peersAndAges() {
    return view.stream().flatMapToLong(entry -> LongStream.of(entry.peer(), entry.age())).toArray();
  }

  private void restore(long[] saved) {
    for (int i = 0; i < saved.length; i += 2) {
      view.add(new Entry((int) saved[i], (int) saved[i + 1]));
    }
  }

  @Override
  public int[] peers(int round, int count) throws InterruptedException {
    shuffle(round);
    int[] chosen = new int[Math.min(count, view.size())];
    int[] at = Sample.distinct(self.random(), view.size(), chosen.length);
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = view.get(at[i]).peer();
    }
    Arrays.sort(chosen);
    return chosen;
  }

  private void shuffle(int round) throws InterruptedException {
    view.removeIf(entry -> self.isGone(entry.peer()));
    if (view.isEmpty()) {
      return;
    }
    int partner = Collections.max(view, Comparator.comparingInt(Entry::age)).peer();
    self.send(partner, shuffleTag, round, buffer());
    view.replaceAll(Entry::older);
  }

  private void answer(Message shuffle) throws InterruptedException {
    List<Entry> received = entries(shuffle);
    self.send(shuffle.sender(), replyTag, shuffle.round(), buffer());
    select(received);
  }

  /** The node itself and half of its view at random, not the oldest; those move to the front. */
  private Payload buffer() {
    shuffleInPlace(view);
    List<Entry> oldest = new ArrayList<>(view);
    oldest.sort(Comparator.comparingInt(Entry::age).reversed());
    List<Entry> last = oldest.subList(0, Math.min(healing, oldest.size()));
    view.removeAll(List.copyOf(last));
    view.addAll(last);
    int sent = Math.min(view.size(), Math.max(0, capacity / 2 - 1));
    PayloadWriter out = new PayloadWriter((sent + 1) * ENTRY_BYTES);
    out.beginMetadata();
    write(new Entry(self.id(), 0), out);
    for (Entry entry : view.subList(0, sent)) {
      write(entry, out);
    }
    out.endMetadata();
    return out.finish();
  }

  private static void write(Entry entry, PayloadWriter out) {
    out.writeInt(entry.peer());
    out.writeInt(entry.age());
  }

  private List<Entry> entries(Message message) {
    ByteBuffer in = message.payload().buffer();
    if (in.remaining() % ENTRY_BYTES != 0 || in.remaining() / ENTRY_BYTES > capacity + 1) {
      throw new MalformedPayloadException("not a view: bytes=" + in.remaining());
    }
    List<Entry> entries = new ArrayList<>();
    while (in.hasRemaining()) {
      Entry entry = new Entry(in.getInt(), in.getInt());
      if (entry.peer() < 0 || entry.peer() >= self.learners() || entry.age() < 0) {
        throw new MalformedPayloadException("no such entry of a view: " + entry);
      }
      if (entry.peer() != self.id()) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Joins what came to the view, the youngest entry of each peer, and cuts it to its capacity. */
  private void select(List<Entry> received) {
    List<Entry> joined = new ArrayList<>(view);
    for (Entry entry : received) {
      int known = indexOf(joined, entry.peer());
      if (known < 0) {
        joined.add(entry);
      } else if (joined.get(known).age() > entry.age()) {
        joined.set(known, entry);
      }
    }
    int healed = Math.min(healing, joined.size() - capacity);
    for (int i = 0; i < healed; i++) {
      joined.remove(Collections.max(joined, Comparator.comparingInt(Entry::age)));
    }
    int swapped = Math.min(swap, joined.size() - capacity);
    for (int i = 0; i < swapped; i++) {
      joined.removeFirst();
    }
    while (joined.size() > capacity) {
      joined.remove(self.random().nextInt(joined.size()));
    }
    view = joined;
  }

  private static int indexOf(List<Entry> entries, int peer) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).peer() == peer) {
        return i;
      }
    }
    return -1;
  }

  private void shuffleInPlace(List<Entry> entries) {
    for (int i = entries.size() - 1; i > 0; i--) {
      Collections.swap(entries, i, self.random().nextInt(i + 1));
    }
  }
}
