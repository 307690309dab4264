package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.report.ModelSum;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.LinkSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the workers of a run: lets them join, tells them to begin, notices who is lost and
 * when all are done, and gathers what they report. All its state belongs to the thread that {@link
 * #run runs} it; others only leave it notes.
 */
public final class Coordinator implements AutoCloseable {

  private static final long GLANCE = 50;
  private static final String LAUNCHER = "launcher";

  private enum Phase {
    JOINING,
    LINKING,
    RUNNING,
    ENDING,
    ENDED
  }

  /**
   * How the run ended.
   *
   * @param exitCode with what the launcher and all workers end
   * @param peakMemory the most memory that the workers held, together
   */
  public record Result(Company.Verdict verdict, int exitCode, Duration wallTime, long peakMemory) {}

  private final Door door;
  private final boolean certified;
  private final LinkedBlockingQueue<Runnable> notes = new LinkedBlockingQueue<>();
  private final Map<Integer, Member> members = new TreeMap<>();
  private final Timeline timeline = new Timeline();
  private final CutCoordination cuts = new CutCoordination(this::living);
  private final String session = UUID.randomUUID().toString();
  private @Nullable Terms terms;
  private @Nullable Gathering gathering;
  private Phase phase = Phase.JOINING;
  private final long opened = System.nanoTime();
  private long begun = System.nanoTime();
  private long zero = begun;
  private long ending;
  private long wallNanos;
  private long peakMemory;
  private Company.@Nullable Verdict verdict;
  private int exitCode = ExitCode.DONE;

  /**
   * Begins to listen; who comes waits until the coordinator {@link #run runs}.
   *
   * @param address the interface to listen on
   * @param port 0 for a free one
   */
  public Coordinator(LinkSecurity security, InetAddress address, int port) {
    this.certified = security.isCertified();
    this.door =
        new Door(
            security,
            address,
            port,
            this::receive,
            line -> notes.add(() -> gathering().line(LAUNCHER, true, line)));
  }

  private Terms terms() {
    return Objects.requireNonNull(terms, "the coordinator does not run");
  }

  private Gathering gathering() {
    return Objects.requireNonNull(gathering, "the coordinator does not run");
  }

  /** Where workers reach it. */
  public int port() {
    return door.port();
  }

  /** Whether who joins is vouched for by an authority, and not by the run's secret alone. */
  public boolean isCertified() {
    return certified;
  }

  /** A name for this run of all workers, never used again. */
  public String session() {
    return session;
  }

  /** Looks after the run to its end; an interrupt stops it. */
  public Result run(Terms terms, Gathering gathering) {
    this.terms = terms;
    this.gathering = gathering;
    StallWatch stalls = new StallWatch(terms.patience().stall());
    while (phase != Phase.ENDED) {
      try {
        Runnable note = notes.poll(GLANCE, TimeUnit.MILLISECONDS);
        while (note != null) {
          note.run();
          note = notes.poll();
        }
      } catch (InterruptedException e) {
        stopInterrupted();
      }
      look(stalls, System.nanoTime());
    }
    gather(Long.MAX_VALUE);
    Company.Verdict last = verdict;
    return new Result(
        last == null ? new Company.Verdict(Outcome.Ending.DONE, "") : last,
        exitCode,
        Duration.ofNanos(wallNanos),
        peakMemory);
  }

  /** Ends the run for all; may be called by any thread. */
  public void end(Outcome.Ending how, String reason, int code) {
    notes.add(() -> stop(how, reason, code));
  }

  /** Has the run saved at the next end of a round, and ends it then; from any thread. */
  public void saveAndStop() {
    notes.add(() -> {
      if (phase == Phase.RUNNING) {
        cuts.saveSoon();
      } else {
        stopInterrupted();
      }
    });
  }

  /** A cut is on disk, or has come to nothing; may be called by any thread. */
  public void saved(int rounds) {
    notes.add(() -> {
      if (cuts.endsAfter(rounds)) {
        stopInterrupted();
      }
    });
  }

  private void stopInterrupted() {
    stop(Outcome.Ending.INTERRUPTED, "the run was interrupted", ExitCode.INTERRUPTED);
  }

  /**
   * The process of a worker has ended; may be called by any thread.
   *
   * @param words the last that it said, or empty
   */
  public void processEnded(int rank, String host, OptionalInt code, String words) {
    notes.add(() -> {
      Member member = members.get(rank);
      String how = code.isPresent() ? " with exit code " + code.getAsInt() : "";
      String said = words.isEmpty() ? "" : ": " + words;
      if (member == null && phase == Phase.JOINING) {
        boolean isMistake = code.orElse(0) == ExitCode.MISTAKE;
        stop(
            Outcome.Ending.FAILED,
            "worker %d on %s (%s) ended%s before it joined%s"
                .formatted(rank, host, terms().placement().text(rank), how, said),
            isMistake ? ExitCode.MISTAKE : ExitCode.TRY_AGAIN);
      } else if (member != null && member.isGone()) {
        gathering()
            .line(LAUNCHER, false, "the process of lost %s ended%s".formatted(member.name(), how));
      } else if (member != null && !member.hasSaidBye()) {
        lost(member, "its process ended" + how + said);
      }
    });
  }

  private void receive(Arrival arrival) throws IOException {
    Greeting greeting = arrival.greeting();
    if (greeting.purpose() != Greeting.Purpose.CONTROL || greeting.to() != Greeting.COORDINATOR) {
      arrival.refuse("here is the coordinator, not " + greeting.acceptor());
      return;
    }
    arrival.welcome();
    ControlChannel channel = new ControlChannel(arrival.channel());
    try {
      if (!(channel.receive() instanceof Control.Join join) || join.rank() != greeting.from()) {
        throw new MalformedPayloadException("%s does not join".formatted(greeting.opener()));
      }
      Member member = new Member(join, channel);
      notes.add(() -> admit(member));
      hear(member);
    } catch (MalformedPayloadException e) {
      channel.close();
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Hears a worker out, on a thread of its own; signs of life are answered at once. */
  private void hear(Member member) {
    String reason = "its connection was closed";
    try {
      for (Control message = member.channel().receive();
          message != null;
          message = member.channel().receive()) {
        member.heard();
        if (message instanceof Control.Heartbeat heartbeat) {
          requireWorld(heartbeat, member);
          member.standing(heartbeat);
          member.channel().send(new Control.Echo(heartbeat.sentAt(), System.nanoTime()));
        } else {
          Control said = message;
          notes.add(() -> takeFrom(member, said));
        }
      }
    } catch (IOException e) {
      reason = "its connection broke: " + e.getMessage();
    } catch (MalformedPayloadException e) {
      reason = "it does not speak as it should: " + e.getMessage();
    }
    String why = reason;
    notes.add(() -> {
      if (members.get(member.rank()) == member) {
        lost(member, why);
      }
    });
  }

  private static void requireWorld(Control.Heartbeat heartbeat, Member member) {
    int world = member.join().world();
    if (heartbeat.sent().length != world || heartbeat.settled().length != world) {
      throw new MalformedPayloadException(
          "counts for %d workers of %d".formatted(heartbeat.sent().length, world));
    }
  }

  private void admit(Member member) {
    String complaint = terms().complaint(member.join());
    if (complaint.isEmpty() && (phase != Phase.JOINING || members.containsKey(member.rank()))) {
      complaint =
          phase == Phase.JOINING
              ? "there is a worker %d already".formatted(member.rank())
              : "the run has begun without it";
    }
    if (!complaint.isEmpty()) {
      String whole = "%s is refused: %s".formatted(member.name(), complaint);
      gathering().line(LAUNCHER, true, whole);
      member.tell(new Control.Refused(whole));
      return;
    }
    members.put(member.rank(), member);
    int missing = terms().placement().workers() - members.size();
    gathering().joined(member.name(), missing);
    if (missing == 0) {
      sendRoster();
    }
  }

  private void sendRoster() {
    List<Control.Entry> entries = new ArrayList<>();
    for (Member member : members.values()) {
      Control.Join join = member.join();
      entries.add(
          new Control.Entry(0, join.host(), join.address(), join.port(), join.certificate()));
    }
    phase = Phase.LINKING;
    broadcast(
        new Control.Roster(
            session,
            terms().placement().workerOf(),
            entries,
            terms().directory(),
            terms().savesModels()));
  }

  /** Passes keys on when all have told theirs; they are the workers' own business. */
  private void takeKeys(Member member, Control.Keys keys) {
    if (phase != Phase.LINKING || member.keys() != null) {
      throw new MalformedPayloadException("keys are told once, before the run begins");
    }
    member.keys(keys);
    List<Control.Keys> all = new ArrayList<>();
    for (Member each : members.values()) {
      Control.Keys told = each.keys();
      if (told == null) {
        return;
      }
      all.add(told);
    }
    broadcast(new Control.AllKeys(all));
  }

  /** What one worker says wrongly is its own fault and nobody else's. */
  private void takeFrom(Member member, Control message) {
    try {
      take(member, message);
    } catch (MalformedPayloadException | IllegalArgumentException e) {
      lost(member, "it tells what cannot be: " + e.getMessage());
    }
  }

  private void requireOwn(Member member, Event event) {
    int node = event.node();
    int[] workerOf = terms().placement().workerOf();
    if (node < 0 || node >= workerOf.length || workerOf[node] != member.rank()) {
      throw new MalformedPayloadException("node %d is not its own".formatted(node));
    }
  }

  private void take(Member member, Control message) {
    if (member.isGone()) {
      return;
    }
    switch (message) {
      case Control.Keys keys -> takeKeys(member, keys);
      case Control.Ready _ -> {
        member.setReady();
        if (phase == Phase.LINKING && members.values().stream().allMatch(Member::isReady)) {
          start();
        }
      }
      case Control.Events told -> {
        told.events().forEach(event -> requireOwn(member, event));
        timeline.add(told.events());
        member.until(told.until());
        gather(knownUntil());
      }
      case Control.Sum sum ->
          gathering()
              .sum(
                  member.rank(),
                  new ModelSum(
                      sum.round(),
                      sum.count(),
                      sum.finite(),
                      sum.squares(),
                      sum.total(),
                      sum.statistics()),
                  sum.now());
      case Control.Line line ->
          gathering()
              .line(
                  "%d %s".formatted(member.rank(), member.join().host()),
                  line.isWarning(),
                  line.text());
      case Control.Finish finish ->
          stop(
              finish.ending(),
              finish.ending() == Outcome.Ending.INTERRUPTED
                  ? "%s (%s) was interrupted"
                      .formatted(member.name(), terms().placement().text(member.rank()))
                  : finish.reason(),
              finish.exitCode());
      case Control.NodesEnded _ -> {
        member.setNodesEnded();
        endIfAllHave();
      }
      case Control.Cut cut -> take(member, cut.talk());
      case Control.File file ->
          gathering().file(member.rank(), file.name(), file.isLast(), file.bytes());
      case Control.Bye bye -> {
        member.setSaidBye();
        member.until(Long.MAX_VALUE);
        peakMemory += bye.peakMemory();
      }
      default -> lost(member, "it says what only the coordinator may say");
    }
  }

  private void take(Member member, CutTalk talk) {
    switch (talk) {
      case CutTalk.Part part -> {
        // All that its nodes did before it has been told, and is recorded before the cut is.
        gather(part.time());
        gathering().part(member.rank(), part.rounds(), part.part());
      }
      case CutTalk.SaveWanted _ -> cuts.saveSoon();
      default -> cuts.take(member, talk);
    }
  }

  private void start() {
    phase = Phase.RUNNING;
    begun = System.nanoTime();
    zero = begun - terms().from().time();
    broadcast(new Control.Start(zero));
    gathering()
        .begun(
            members.values().stream()
                .map(member ->
                    new WorkerPlace(
                        member.rank(),
                        member.join().host(),
                        member.join().address(),
                        member.join().port(),
                        member.join().process(),
                        Placement.ranges(terms().placement().nodesOf(member.rank()))))
                .toList());
  }

  private long knownUntil() {
    return living().stream().mapToLong(Member::until).min().orElse(Long.MAX_VALUE);
  }

  private void gather(long until) {
    timeline.until(until).forEach(gathering()::event);
    Company.Verdict wanted = gathering().verdict();
    if (wanted != null && phase == Phase.RUNNING) {
      stop(wanted.ending(), wanted.reason(), ExitCode.of(wanted.ending()));
    }
  }

  private List<Member> living() {
    return members.values().stream().filter(member -> !member.isGone()).toList();
  }

  private void broadcast(Control message) {
    living().forEach(member -> member.tell(message));
  }

  private void endIfAllHave() {
    if (phase == Phase.RUNNING && living().stream().allMatch(Member::haveNodesEnded)) {
      beginEnding();
      broadcast(new Control.Over());
    }
  }

  private void beginEnding() {
    wallNanos = phase == Phase.RUNNING ? System.nanoTime() - begun : 0;
    phase = Phase.ENDING;
    ending = System.nanoTime();
  }

  private void stop(Outcome.Ending how, String reason, int code) {
    if (phase == Phase.ENDING || phase == Phase.ENDED) {
      return;
    }
    verdict = new Company.Verdict(how, reason);
    exitCode = code;
    beginEnding();
    broadcast(new Control.Stop(how, reason, code));
  }

  private void lost(Member member, String reason) {
    if (member.isGone() || member.hasSaidBye()) {
      return;
    }
    String whole =
        "%s (%s) was lost: %s"
            .formatted(member.name(), gathering().whereabouts(member.rank()), reason);
    boolean harmless =
        phase == Phase.ENDING
            && (verdict != null || (member.haveNodesEnded() && !terms().savesModels()));
    gathering().line(LAUNCHER, !harmless, whole);
    member.channel().close();
    member.setGone();
    if (harmless) {
      return;
    }
    boolean goesOn =
        terms().drops() && (phase == Phase.RUNNING || phase == Phase.ENDING) && !living().isEmpty();
    if (!goesOn) {
      if (phase == Phase.ENDING) {
        verdict = new Company.Verdict(Outcome.Ending.FAILED, whole);
        exitCode = ExitCode.TRY_AGAIN;
      }
      stop(Outcome.Ending.FAILED, whole, ExitCode.TRY_AGAIN);
      return;
    }
    gathering().lost(member.rank(), whole, System.nanoTime() - zero);
    broadcast(new Control.Gone(member.rank(), 0, whole));
    cuts.lost();
    gather(knownUntil());
    endIfAllHave();
  }

  private void look(StallWatch stalls, long now) {
    long silence = terms().patience().silence().toNanos();
    for (Member member : living()) {
      if (member.silentFor(now) > silence) {
        lost(
            member, "no sign of life for %d s".formatted(terms().patience().silence().toSeconds()));
      }
    }
    switch (phase) {
      case JOINING, LINKING -> lookForMissing(now);
      case RUNNING -> {
        cuts.look();
        if (!cuts.isAwaited() || !living().stream().allMatch(Member::rests)) {
          stalls
              .look(living(), now)
              .ifPresent(waits -> stop(Outcome.Ending.STALLED, waits, ExitCode.FAILED));
        }
      }
      case ENDING -> {
        boolean all = living().stream().allMatch(Member::hasSaidBye);
        if (all || now - ending > terms().patience().farewell().toNanos()) {
          broadcast(new Control.Done());
          phase = Phase.ENDED;
        }
      }
      case ENDED -> {
        // Nothing is left to look at.
      }
    }
  }

  private void lookForMissing(long now) {
    if (now - opened <= terms().patience().join().toNanos()) {
      return;
    }
    List<String> missing = new ArrayList<>();
    for (int rank = 0; rank < terms().placement().workers(); rank++) {
      Member member = members.get(rank);
      if (member == null || !member.isReady()) {
        missing.add("worker %d (%s)".formatted(rank, terms().placement().text(rank)));
      }
    }
    stop(
        Outcome.Ending.FAILED,
        "after %d s there is still no %s"
            .formatted(terms().patience().join().toSeconds(), String.join(", ", missing)),
        ExitCode.TRY_AGAIN);
  }

  /** Lets nobody in any more and leaves those who are still there. */
  @Override
  public void close() {
    door.close();
    members.values().forEach(member -> member.channel().close());
  }
}
