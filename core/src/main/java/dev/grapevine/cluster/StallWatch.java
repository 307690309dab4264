package dev.grapevine.cluster;

import dev.grapevine.runtime.Company.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Notices that no node of any worker can go on. A worker that is stuck may be freed by a message
 * that is on its way, so that all must be stuck with as many messages taken as sent, and then must
 * be so again, with the same counts, in reports that each has made after that: then nothing was
 * sent in between, and nothing is on its way (Mattern's method of four counters). With messages on
 * their way for good, such as to one who takes nothing, patience decides.
 */
final class StallWatch {

  private record Look(List<Long> reports, List<Standing> standings, long since) {}

  private final long patience;
  private Look first = new Look(List.of(), List.of(), 0);

  StallWatch(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** What was seen before says nothing any more. */
  void forget() {
    first = new Look(List.of(), List.of(), 0);
  }

  /**
   * Looks at the living members.
   *
   * @return who waits for whom, if nothing can happen any more
   */
  Optional<String> look(List<Member> living, long now) {
    List<Standing> standings = new ArrayList<>();
    List<Long> reports = new ArrayList<>();
    for (Member member : living) {
      long report = member.reports();
      Standing standing = member.standing();
      if (standing == null || !standing.stuck()) {
        first = new Look(List.of(), List.of(), now);
        return Optional.empty();
      }
      reports.add(report);
      standings.add(standing);
    }
    if (!sameCounts(first.standings(), standings)) {
      first = new Look(reports, standings, now);
      return Optional.empty();
    }
    boolean allAgain = true;
    for (int i = 0; i < reports.size(); i++) {
      // Another than the one seen first, and one whose making began after that was seen.
      allAgain &= reports.get(i) >= first.reports().get(i) + 2;
    }
    boolean isStalled =
        allAgain && (isBalanced(living, standings) || now - first.since() > patience);
    return isStalled ? Optional.of(describe(standings)) : Optional.empty();
  }

  private static boolean sameCounts(List<Standing> one, List<Standing> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!java.util.Arrays.equals(one.get(i).sent(), other.get(i).sent())
          || !java.util.Arrays.equals(one.get(i).settled(), other.get(i).settled())) {
        return false;
      }
    }
    return true;
  }

  /** Whether the living have taken all that the living have sent to them. */
  private static boolean isBalanced(List<Member> living, List<Standing> standings) {
    for (int from = 0; from < living.size(); from++) {
      // Of one who has come back nobody knows what its life before had sent and taken.
      if (living.get(from).incarnation() > 0) {
        return false;
      }
      for (int to = 0; to < living.size(); to++) {
        long sent = standings.get(from).sent()[living.get(to).rank()];
        long settled = standings.get(to).settled()[living.get(from).rank()];
        if (sent != settled) {
          return false;
        }
      }
    }
    return true;
  }

  private static String describe(List<Standing> standings) {
    List<String> waits = new ArrayList<>();
    int count = 0;
    for (Standing standing : standings) {
      List<String> lines = standing.waits().lines().toList();
      count += Math.max(0, lines.size() - 1);
      waits.addAll(lines.stream().skip(1).toList());
    }
    int most = 20;
    String text =
        "the run is stalled, %d node%s wait:".formatted(count, count == 1 ? "" : "s")
            + System.lineSeparator()
            + String.join(System.lineSeparator(), waits.subList(0, Math.min(most, waits.size())));
    return waits.size() > most
        ? text + System.lineSeparator() + "  and %d more".formatted(waits.size() - most)
        : text;
  }
}
