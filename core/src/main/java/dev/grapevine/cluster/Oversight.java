package dev.grapevine.cluster;

import dev.grapevine.cluster.Course.Phase;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * What the coordinator does about all that it hears: who may join, when the run begins, what
 * becomes of it when a worker is lost, and when it is over. All its state, with that of its parts,
 * belongs to the coordinator's thread.
 */
final class Oversight {

  private static final String LAUNCHER = "launcher";

  private final String session;
  private final Terms terms;
  private final Gathering gathering;
  private final long opened;
  private final Course course = new Course();
  private final Roll roll;
  private final Reports reports;
  private final CutCoordination cuts;
  private final StallWatch stalls;

  /**
   * @param opened since when workers may come, as {@link System#nanoTime} counts
   */
  Oversight(String session, Terms terms, Gathering gathering, long opened) {
    this.session = session;
    this.terms = terms;
    this.gathering = gathering;
    this.opened = opened;
    this.roll = new Roll(terms.placement());
    this.reports = new Reports(terms.placement(), gathering);
    this.cuts = new CutCoordination(roll::living);
    this.stalls = new StallWatch(terms.patience().stall());
  }

  boolean hasEnded() {
    return course.is(Phase.ENDED);
  }

  Coordinator.Result result() {
    gather(Long.MAX_VALUE);
    return course.result(reports.peakMemory());
  }

  void warn(String line) {
    gathering.line(LAUNCHER, true, line);
  }

  /** Has the run saved at the next end of a round, and ends it then. */
  void saveAndStop() {
    if (course.is(Phase.RUNNING)) {
      cuts.saveSoon();
    } else {
      stopInterrupted();
    }
  }

  /** A cut is on disk, or has come to nothing. */
  void saved(int rounds) {
    if (cuts.endsAfter(rounds)) {
      stopInterrupted();
    }
  }

  void stopInterrupted() {
    stop(Outcome.Ending.INTERRUPTED, "the run was interrupted", ExitCode.INTERRUPTED);
  }

  /** Ends the run for all; the first who wants it to end says why. */
  void stop(Outcome.Ending how, String reason, int code) {
    if (course.isEnding()) {
      return;
    }
    course.judge(how, reason, code);
    course.beginEnding();
    roll.broadcast(new Control.Stop(how, reason, code));
  }

  void processEnded(int rank, String host, OptionalInt code, String words) {
    Member member = roll.of(rank);
    String how = code.isPresent() ? " with exit code " + code.getAsInt() : "";
    String said = words.isEmpty() ? "" : ": " + words;
    if (member == null && course.is(Phase.JOINING)) {
      boolean isMistake = code.orElse(0) == ExitCode.MISTAKE;
      stop(
          Outcome.Ending.FAILED,
          "worker %d on %s (%s) ended%s before it joined%s"
              .formatted(rank, host, terms.placement().text(rank), how, said),
          isMistake ? ExitCode.MISTAKE : ExitCode.TRY_AGAIN);
    } else if (member != null && member.isGone()) {
      gathering.line(
          LAUNCHER, false, "the process of lost %s ended%s".formatted(member.name(), how));
    } else if (member != null && !member.hasSaidBye()) {
      lost(member, "its process ended" + how + said);
    }
  }

  void admit(Member member) {
    String complaint = terms.complaint(member.join());
    if (complaint.isEmpty() && !course.is(Phase.JOINING)) {
      complaint = "the run has begun without it";
    } else if (complaint.isEmpty() && roll.of(member.rank()) != null) {
      complaint = "there is a worker %d already".formatted(member.rank());
    }
    if (!complaint.isEmpty()) {
      String whole = "%s is refused: %s".formatted(member.name(), complaint);
      warn(whole);
      member.tell(new Control.Refused(whole));
      return;
    }
    roll.add(member);
    gathering.joined(member.name(), roll.missing());
    if (roll.missing() == 0) {
      course.link();
      roll.broadcast(
          new Control.Roster(
              session,
              terms.placement().workerOf(),
              roll.entries(),
              terms.directory(),
              terms.savesModels()));
    }
  }

  /** Nothing more is heard of one who came. */
  void hungUp(Member member, String reason) {
    if (roll.of(member.rank()) == member) {
      lost(member, reason);
    }
  }

  /** What one worker says wrongly is its own fault and nobody else's. */
  void takeFrom(Member member, Control message) {
    if (member.isGone()) {
      return;
    }
    try {
      take(member, message);
    } catch (MalformedPayloadException | IllegalArgumentException e) {
      lost(member, "it tells what cannot be: " + e.getMessage());
    }
  }

  private void take(Member member, Control message) {
    switch (message) {
      case Control.Keys keys -> takeKeys(member, keys);
      case Control.Ready _ -> {
        member.setReady();
        if (course.is(Phase.LINKING) && roll.areAllReady()) {
          roll.broadcast(new Control.Start(course.begin(terms.from().time())));
          gathering.begun(roll.places());
        }
      }
      case Control.Events told -> {
        reports.take(member, told);
        gather(roll.knownUntil());
      }
      case Control.Sum sum -> reports.take(member, sum);
      case Control.Line line -> reports.take(member, line);
      case Control.File file -> reports.take(member, file);
      case Control.Bye bye -> reports.take(member, bye);
      case Control.Finish finish ->
          stop(
              finish.ending(),
              finish.ending() == Outcome.Ending.INTERRUPTED
                  ? "%s (%s) was interrupted"
                      .formatted(member.name(), terms.placement().text(member.rank()))
                  : finish.reason(),
              finish.exitCode());
      case Control.NodesEnded _ -> {
        member.setNodesEnded();
        endIfAllHave();
      }
      case Control.Cut cut -> take(member, cut.talk());
      default -> lost(member, "it says what only the coordinator may say");
    }
  }

  /** Passes keys on when all have told theirs; they are the workers' own business. */
  private void takeKeys(Member member, Control.Keys keys) {
    if (!course.is(Phase.LINKING) || member.keys() != null) {
      throw new MalformedPayloadException("keys are told once, before the run begins");
    }
    member.keys(keys);
    roll.keys().ifPresent(roll::broadcast);
  }

  private void take(Member member, CutTalk talk) {
    switch (talk) {
      case CutTalk.Part part -> {
        // All that its nodes did before it has been told, and is recorded before the cut is.
        gather(part.time());
        gathering.part(member.rank(), part.rounds(), part.part());
      }
      case CutTalk.SaveWanted _ -> cuts.saveSoon();
      default -> cuts.take(member, talk);
    }
  }

  private void gather(long until) {
    reports.until(until);
    Company.Verdict wanted = gathering.verdict();
    if (wanted != null && course.is(Phase.RUNNING)) {
      stop(wanted.ending(), wanted.reason(), ExitCode.of(wanted.ending()));
    }
  }

  private void endIfAllHave() {
    if (course.is(Phase.RUNNING) && roll.living().stream().allMatch(Member::haveNodesEnded)) {
      course.beginEnding();
      roll.broadcast(new Control.Over());
    }
  }

  private void lost(Member member, String reason) {
    if (member.isGone() || member.hasSaidBye()) {
      return;
    }
    String whole =
        "%s (%s) was lost: %s"
            .formatted(member.name(), gathering.whereabouts(member.rank()), reason);
    boolean harmless =
        course.is(Phase.ENDING)
            && (course.isJudged() || (member.haveNodesEnded() && !terms.savesModels()));
    gathering.line(LAUNCHER, !harmless, whole);
    member.channel().close();
    member.setGone();
    if (harmless) {
      return;
    }
    boolean goesOn =
        terms.drops()
            && (course.is(Phase.RUNNING) || course.is(Phase.ENDING))
            && !roll.living().isEmpty();
    if (goesOn) {
      goOnWithout(member, whole);
    } else if (course.is(Phase.ENDING)) {
      course.judge(Outcome.Ending.FAILED, whole, ExitCode.TRY_AGAIN);
    } else {
      stop(Outcome.Ending.FAILED, whole, ExitCode.TRY_AGAIN);
    }
  }

  private void goOnWithout(Member member, String reason) {
    gathering.lost(member.rank(), reason, course.time());
    roll.broadcast(new Control.Gone(member.rank(), 0, reason));
    cuts.lost();
    gather(roll.knownUntil());
    endIfAllHave();
  }

  /** Looks whether time has brought about what nobody tells. */
  void look(long now) {
    Patience patience = terms.patience();
    for (Member member : roll.living()) {
      if (member.silentFor(now) > patience.silence().toNanos()) {
        lost(member, "no sign of life for %d s".formatted(patience.silence().toSeconds()));
      }
    }
    switch (course.phase()) {
      case JOINING, LINKING -> lookForMissing(now, patience.join());
      case RUNNING -> {
        cuts.look();
        if (!cuts.isAwaited() || !roll.living().stream().allMatch(Member::rests)) {
          stalls
              .look(roll.living(), now)
              .ifPresent(waits -> stop(Outcome.Ending.STALLED, waits, ExitCode.FAILED));
        }
      }
      case ENDING -> {
        boolean all = roll.living().stream().allMatch(Member::hasSaidBye);
        if (all || course.endsForLongerThan(patience.farewell(), now)) {
          roll.broadcast(new Control.Done());
          course.end();
        }
      }
      case ENDED -> {
        // Nothing is left to look at.
      }
    }
  }

  private void lookForMissing(long now, Duration patience) {
    if (now - opened > patience.toNanos()) {
      stop(
          Outcome.Ending.FAILED,
          "after %d s there is still no %s".formatted(patience.toSeconds(), roll.notReady()),
          ExitCode.TRY_AGAIN);
    }
  }
}
