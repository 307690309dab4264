package dev.grapevine.cluster;

import dev.grapevine.cluster.Course.Phase;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

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
  private final LifeCoordination lives;
  private final StallWatch stalls;
  private final Returns returns = new Returns();
  private final Consumer<Consumer<Oversight>> notes;

  /** Whether it was asked for that the run is saved and ends, and when that was. */
  private boolean isToStop;

  private long stopAskedAt;

  /**
   * @param opened since when workers may come, as {@link System#nanoTime} counts
   * @param notes takes what is for the coordinator's thread; any thread may leave some
   */
  Oversight(
      String session,
      Terms terms,
      Gathering gathering,
      long opened,
      Consumer<Consumer<Oversight>> notes) {
    this.session = session;
    this.terms = terms;
    this.gathering = gathering;
    this.opened = opened;
    this.notes = notes;
    this.roll = new Roll(terms.placement());
    this.reports = new Reports(terms.placement(), gathering);
    this.cuts = new CutCoordination(roll::saved, this::nobodyIsAboutToBegin);
    this.lives = new LifeCoordination(terms.placement(), roll::living, cuts::latest);
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
      stopAskedAt = isToStop ? stopAskedAt : System.nanoTime();
      isToStop = true;
      takeTurns();
    } else {
      stopInterrupted();
    }
  }

  /**
   * Lets nodes be saved and enter by turns: while it is being found out where one enters nobody is
   * saved, and afterwards all are asked anew whether they rest. A run that is to be saved and
   * stopped waits for workers that are to come back: they would not know after which round.
   */
  private void takeTurns() {
    if (!course.is(Phase.RUNNING)) {
      return;
    }
    if (cuts.letsNodesEnter()) {
      for (Member member : roll.living()) {
        if (member.isReady() && !member.isSaved()) {
          member.setSaved(true);
          gathering.isSavedAgain(member.rank());
          cuts.askAnew();
        }
      }
      lives.askForThoseWhoWait();
    }
    if (lives.hasDecided()) {
      cuts.askAnew();
    }
    if (isToStop && !lives.isOpen() && areAllBack()) {
      cuts.saveSoon();
    }
  }

  private boolean nobodyIsAboutToBegin() {
    return !lives.isOpen();
  }

  private boolean areAllBack() {
    return returns.isEmpty() && roll.areAllReady() && roll.saved().size() == roll.living().size();
  }

  /** A cut is on disk, or has come to nothing. */
  void saved(int rounds) {
    if (cuts.endsAfter(rounds)) {
      stopInterrupted();
    } else if (terms.keepsMessages()) {
      roll.broadcast(new Control.Saved(gathering.newestCut()));
    }
  }

  void stopInterrupted() {
    stop(Outcome.Ending.INTERRUPTED, "the run was interrupted", ExitCode.INTERRUPTED);
  }

  /** Ends the run as it was saved before it was asked to end. */
  private void stopUnsaved(String reason) {
    stop(
        Outcome.Ending.INTERRUPTED,
        "the run was interrupted and is kept as it was after round %d: %s"
            .formatted(gathering.newestCut(), reason),
        ExitCode.INTERRUPTED);
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
    } else if (returns.firstRound(rank).isPresent()) {
      endFor(
          rank,
          "worker %d on %s (%s) was started again and ended%s before it joined%s"
              .formatted(rank, host, terms.placement().text(rank), how, said));
    } else if (member != null && member.isGone()) {
      gathering.line(
          LAUNCHER, false, "the process of lost %s ended%s".formatted(member.name(), how));
    } else if (member != null && !member.hasSaidBye()) {
      lost(member, "its process ended" + how + said);
    }
  }

  void admit(Member member) {
    OptionalInt back =
        course.is(Phase.RUNNING) ? returns.firstRound(member.rank()) : OptionalInt.empty();
    String complaint = terms.complaint(member.join(), back.orElse(terms.from().round()));
    if (complaint.isEmpty() && back.isPresent()) {
      admitAgain(member, back.getAsInt());
      return;
    }
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
      roll.broadcast(roster(new int[0]));
    }
  }

  private Control.Roster roster(int[] connecting) {
    return new Control.Roster(
        session,
        terms.placement().workerOf(),
        roll.entries(),
        terms.directory(),
        terms.savesModels(),
        gathering.struck(),
        terms.keepsMessages(),
        connecting);
  }

  /** One who was lost is there again; all who live connect to it. */
  private void admitAgain(Member member, int rounds) {
    List<Member> others = roll.living();
    member.incarnation(returns.joined(member.rank()));
    member.setSaved(!terms.othersGoOn());
    roll.add(member);
    member.tell(roster(others.stream().mapToInt(Member::rank).toArray()));
    Control.Back back = new Control.Back(member.rank(), rounds, Roll.entry(member));
    others.forEach(other -> other.tell(back));
    gathering.line(LAUNCHER, true, "%s is back, after round %d".formatted(member.name(), rounds));
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
      case Control.Ready ready -> {
        member.setReady();
        if (course.is(Phase.LINKING)) {
          lives.learn(member, ready.lives());
        }
        if (course.is(Phase.LINKING) && roll.areAllReady()) {
          roll.broadcast(new Control.Start(course.begin(terms.from().time()), lives.book()));
          gathering.begun(roll.places());
        } else if (course.is(Phase.RUNNING)) {
          member.tell(new Control.Start(course.zero(), lives.book()));
          gathering.begun(roll.places());
          takeTurns();
        }
      }
      case Control.Events told -> {
        reports.take(member, told);
        for (Event event : told.events()) {
          if (event instanceof Event.Ended end) {
            lives.ended(end.outcome());
          }
        }
        gather(roll.knownUntil());
      }
      case Control.Sum sum -> reports.take(member, sum);
      case Control.Line line -> reports.take(member, line);
      case Control.File file -> reports.take(member, file);
      case Control.Bye bye -> reports.take(member, bye);
      case Control.Finish finish when isLeave(finish) -> lost(member, finish.reason());
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
      case Control.Cut cut -> {
        take(member, cut.talk());
        takeTurns();
      }
      case Control.Life life -> {
        lives.take(member, life.talk());
        takeTurns();
      }
      case Control.KeepsNoMore no -> {
        member.keepsNoMore();
        gathering.line(
            LAUNCHER,
            true,
            "a lost worker would not come back alone, but take all back to the newest checkpoint: %s"
                .formatted(no.reason()));
      }
      default -> lost(member, "it says what only the coordinator may say");
    }
  }

  /** Whether a worker must go, rather than that the run is to end. */
  private static boolean isLeave(Control.Finish finish) {
    return finish.ending() == Outcome.Ending.INTERRUPTED && finish.exitCode() == ExitCode.TRY_AGAIN;
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
      case CutTalk.SaveWanted _ -> saveAndStop();
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
    if (course.is(Phase.RUNNING)
        && returns.isEmpty()
        && roll.living().stream().allMatch(Member::haveNodesEnded)) {
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
    if (mayComeBack()) {
      comeBack(member, whole);
      return;
    }
    boolean goesOn =
        terms.drops()
            && (course.is(Phase.RUNNING) || course.is(Phase.ENDING))
            && !roll.living().isEmpty();
    if (goesOn) {
      goOnWithout(member, whole);
    } else if (course.is(Phase.ENDING)) {
      gathering.endsFor(member.rank(), whole);
      course.judge(Outcome.Ending.FAILED, whole, ExitCode.TRY_AGAIN);
    } else {
      endFor(member.rank(), whole);
    }
  }

  /** Ends the run because a worker was lost, and is not replaced. */
  private void endFor(int rank, String reason) {
    gathering.endsFor(rank, reason);
    if (isToStop) {
      stopUnsaved(reason);
    } else {
      stop(Outcome.Ending.FAILED, reason, ExitCode.TRY_AGAIN);
    }
  }

  /** Whether one who was lost can go on where it was saved. */
  private boolean mayComeBack() {
    return terms.replacesWorkers()
        && course.is(Phase.RUNNING)
        && !cuts.isStopping()
        && !(terms.othersGoOn() && roll.living().isEmpty())
        && roll.living().stream().allMatch(Member::keepsMessages);
  }

  private void comeBack(Member member, String reason) {
    int rank = member.rank();
    returns.await(rank, System.nanoTime());
    roll.broadcast(new Control.Lost(rank, terms.othersGoOn(), reason));
    if (terms.othersGoOn()) {
      gathering.goesOnWithout(rank);
      lives.lost(rank);
      lives.nodesAreDown(rank);
      cuts.lost();
      gather(roll.knownUntil());
      takeTurns();
    }
    gathering.comesBack(
        rank, rounds -> notes.accept(oversight -> oversight.startAgain(rank, rounds, reason)));
  }

  private void startAgain(int rank, int rounds, String reason) {
    if (!course.is(Phase.RUNNING)) {
      return;
    }
    if (terms.replacements().start(rank, rounds)) {
      // That the process before has ended was left as a note by now, and must be read first.
      notes.accept(oversight -> oversight.returns.started(rank, rounds, System.nanoTime()));
    } else {
      endFor(rank, reason);
    }
  }

  private void goOnWithout(Member member, String reason) {
    gathering.lost(member.rank(), reason, course.time());
    roll.broadcast(new Control.Gone(member.rank(), 0, reason));
    lives.gone(member.rank());
    cuts.lost();
    takeTurns();
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
        takeTurns();
        if (returns.isEmpty()) {
          lives.lookForTheLast();
        }
        returns
            .overdue(now, patience.join().toNanos())
            .ifPresent(rank ->
                endFor(
                    rank,
                    "worker %d was started again and has not joined within %d s"
                        .formatted(rank, patience.join().toSeconds())));
        if (isToStop && !areAllBack() && now - stopAskedAt > patience.farewell().toNanos()) {
          stopUnsaved(
              "a worker was not back within %d s".formatted(patience.farewell().toSeconds()));
        }
        // Whoever waits for one who is to come back does not wait in vain.
        if (!returns.isEmpty() || lives.isOpen()) {
          stalls.forget();
        } else if (!cuts.isAwaited() || !roll.living().stream().allMatch(Member::rests)) {
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
