package dev.grapevine.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who has joined a run, by rank, and who of them still lives. */
final class Roll {

  private final Placement placement;
  private final Map<Integer, Member> members = new TreeMap<>();

  Roll(Placement placement) {
    this.placement = placement;
  }

  void add(Member member) {
    members.put(member.rank(), member);
  }

  @Nullable Member of(int rank) {
    return members.get(rank);
  }

  /** How many are still to join. */
  int missing() {
    return placement.workers() - members.size();
  }

  List<Member> living() {
    return members.values().stream().filter(member -> !member.isGone()).toList();
  }

  /** Those whose nodes are saved together. */
  List<Member> saved() {
    return living().stream().filter(Member::isSaved).toList();
  }

  void broadcast(Control message) {
    living().forEach(member -> member.tell(message));
  }

  boolean areAllReady() {
    return members.values().stream().allMatch(Member::isReady);
  }

  /** Those who have not joined, or are not connected to all others yet, in words. */
  String notReady() {
    List<String> names = new ArrayList<>();
    for (int rank = 0; rank < placement.workers(); rank++) {
      Member member = members.get(rank);
      if (member == null || !member.isReady()) {
        names.add("worker %d (%s)".formatted(rank, placement.text(rank)));
      }
    }
    return String.join(", ", names);
  }

  /** The keys of all, if all have told theirs. */
  Optional<Control.AllKeys> keys() {
    List<Control.Keys> all = new ArrayList<>();
    for (Member member : members.values()) {
      Control.Keys told = member.keys();
      if (told == null) {
        return Optional.empty();
      }
      all.add(told);
    }
    return Optional.of(new Control.AllKeys(all));
  }

  /** Up to when all that has happened at the living is known. */
  long knownUntil() {
    return living().stream().mapToLong(Member::until).min().orElse(Long.MAX_VALUE);
  }

  List<Control.Entry> entries() {
    return members.values().stream().map(Roll::entry).toList();
  }

  static Control.Entry entry(Member member) {
    Control.Join join = member.join();
    return new Control.Entry(
        member.incarnation(),
        join.host(),
        join.address(),
        join.port(),
        join.path(),
        join.certificate());
  }

  List<WorkerPlace> places() {
    List<WorkerPlace> places = new ArrayList<>();
    for (Member member : members.values()) {
      Control.Join join = member.join();
      places.add(
          new WorkerPlace(
              member.rank(),
              join.host(),
              join.address(),
              join.port(),
              join.process(),
              Placement.ranges(placement.nodesOf(member.rank()))));
    }
    return places;
  }
}
