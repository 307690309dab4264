package dev.grapevine.cluster;

import dev.grapevine.UserException;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.security.LinkChannel;
import dev.grapevine.security.WorkerIdentity;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker's part in a run: its connection to the coordinator, its links to the other workers, and
 * what it has to tell. Made by {@link Joining}.
 */
public final class WorkerSession implements Company, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WorkerSession.class.getName());

  /** How long a broken link may have an explanation that is still on its way. */
  private static final Duration EXPLANATION = Duration.ofSeconds(3);

  private static final Duration BEAT = Duration.ofSeconds(1);

  /** The first few come quickly, to set the clock by. */
  private static final int FIRST_BEATS = 8;

  private static final Duration FIRST_BEAT = Duration.ofMillis(10);

  private final Rank rank;
  private final ControlChannel channel;
  private final CompletableFuture<Control.Roster> rosterToCome = new CompletableFuture<>();
  private final CompletableFuture<Control.AllKeys> keysToCome = new CompletableFuture<>();
  private final Optional<WorkerIdentity> identity;
  private final ClockOffset clock = new ClockOffset();
  private final int onThisMachine;
  private final Outbox outbox;
  private final WorkerCuts cuts;
  private final WorkerComings comings;
  private final Dialler dialler;
  private final CountDownLatch clockIsSet = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final WorkerLinks links;
  private volatile @Nullable Supplier<Standing> standing;
  private volatile @Nullable Verdict verdict;
  private volatile int exitCode = ExitCode.DONE;
  private volatile boolean over;
  private volatile boolean closed;
  private volatile long start = System.nanoTime();
  private volatile boolean started;

  /** Connects to a worker that has come back. */
  @FunctionalInterface
  interface Dialler {
    LinkChannel dial(Control.Back back, WorkerSession session)
        throws IOException, InterruptedException;
  }

  /**
   * Begins to listen and to show signs of life; the join was sent before.
   *
   * @param identity what this worker signs with
   * @param payloadLimit the largest payload that a link accepts, in bytes
   */
  WorkerSession(
      Rank rank,
      Optional<WorkerIdentity> identity,
      ControlChannel channel,
      int onThisMachine,
      int payloadLimit,
      Dialler dialler) {
    this.rank = rank;
    this.dialler = dialler;
    this.identity = identity;
    this.channel = channel;
    this.onThisMachine = onThisMachine;
    this.links = new WorkerLinks(rank.rank(), payloadLimit, this::linkLost);
    this.outbox = new Outbox(channel, this::clock);
    this.cuts = new WorkerCuts(outbox::add);
    this.comings = new WorkerComings(outbox::add, cuts, links::isConnected);
    Thread.ofPlatform().daemon().name("control").start(this::listen);
    Thread.ofPlatform().daemon().name("heartbeat").start(this::beat);
  }

  private long clock() {
    return started ? System.nanoTime() - start : Long.MIN_VALUE;
  }

  /**
   * Who takes part, once all have joined.
   *
   * @throws UserException when this worker is refused or the run is given up before
   */
  Control.Roster awaitRoster() throws InterruptedException {
    return await(rosterToCome);
  }

  private static <T> T await(CompletableFuture<T> toCome) throws InterruptedException {
    try {
      return toCome.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** The connections to all other workers are there. */
  void linked(Map<Integer, LinkChannel> connected) {
    links.linked(connected);
  }

  /** Whether a worker was lost before this one was connected to all. */
  boolean wasLost(int worker) {
    return links.wasLost(worker);
  }

  /** Throws if the run has been given up. */
  void requireGoesOn() {
    Verdict given = verdict;
    if (given != null) {
      throw new RunGivenUp(given.reason(), exitCode);
    }
  }

  private Control.Roster roster() {
    return rosterToCome.join();
  }

  /** Where the results of the whole run go, on the coordinator's machine. */
  public String directory() {
    return roster().directory();
  }

  /** Whether final models are to be handed in. */
  public boolean savesModels() {
    return roster().savesModels();
  }

  /** The faults on purpose that do not strike again. */
  public Set<InjectedFault> mended() {
    return Set.copyOf(roster().mended());
  }

  /**
   * Tells the public keys of this worker's nodes and returns those of all; once, before the run
   * begins. Nothing that is secret leaves this worker.
   *
   * @throws UserException when the keys of some worker are not what it has signed
   */
  public SortedMap<Integer, byte[]> exchangeKeys(SortedMap<Integer, byte[]> own)
      throws InterruptedException {
    KeyNotary notary = new KeyNotary(roster(), identity);
    outbox.add(notary.sign(own));
    SortedMap<Integer, byte[]> all = notary.read(await(keysToCome));
    own.forEach((node, key) -> {
      if (!Arrays.equals(key, all.get(node))) {
        throw new UserException(
            "the coordinator hands out another key for node %d than it was told".formatted(node));
      }
    });
    return all;
  }

  /** A name for this run of all workers, never used again. */
  public String session() {
    return roster().session();
  }

  /** This worker's part in saving the run. */
  @Override
  public WorkerCuts cutting() {
    return cuts;
  }

  @Override
  public Comings comings() {
    return comings;
  }

  @Override
  public int workers() {
    return rank.world();
  }

  @Override
  public int workerOf(int node) {
    return roster().workerOf()[node];
  }

  @Override
  public int onThisMachine() {
    return onThisMachine;
  }

  @Override
  public Transport open(Inbox inbox) {
    return links.open(inbox, roster());
  }

  @Override
  public boolean isBack() {
    return roster().entries().get(rank.rank()).incarnation() > 0;
  }

  @Override
  public boolean keepsMessages() {
    return roster().keepsMessages();
  }

  @Override
  public void keptBy(Comeback keeps) {
    links.keptBy(keeps);
  }

  @Override
  public void keepsNoMore(String reason) {
    outbox.add(new Control.KeepsNoMore(reason));
  }

  @Override
  public long begin(Supplier<Standing> standing, List<NodeLife> own) throws InterruptedException {
    this.standing = standing;
    links.begin(roster());
    // The start is told by the coordinator's clock, and may be told at once.
    clockIsSet.await();
    outbox.add(new Control.Ready(own));
    begun.await();
    return start;
  }

  @Override
  public AverageCollector.Taker averages() {
    return (sum, now) ->
        outbox.add(
            new Control.Sum(
                sum.round(),
                now,
                sum.count(),
                sum.isFinite(),
                sum.squares(),
                sum.total(),
                sum.statistics()));
  }

  /** Tells what has happened at a node. */
  public void tell(Event event) {
    outbox.add(event);
  }

  /** Sends a line for the log of the whole run. */
  public void line(boolean isWarning, String text) {
    outbox.add(new Control.Line(isWarning, text));
  }

  @Override
  public void end(Verdict wanted) {
    end(wanted, ExitCode.of(wanted.ending()));
  }

  /** Ends the run for all, with an exit code of its own. */
  public void end(Verdict wanted, int code) {
    if (verdict == null && !over) {
      outbox.add(new Control.Finish(wanted.ending(), wanted.reason(), code));
    }
  }

  /** Takes leave of a run that goes on: the others have lost this worker. */
  public void leave(String reason) {
    end(new Verdict(Outcome.Ending.INTERRUPTED, reason), ExitCode.TRY_AGAIN);
  }

  @Override
  public @Nullable Verdict verdict() {
    return verdict;
  }

  /** How the run ends, with its exit code; the first counts. */
  private synchronized void ends(Verdict how, int code) {
    if (verdict == null && !over) {
      exitCode = code;
      verdict = how;
    }
    clockIsSet.countDown();
    begun.countDown();
    rosterToCome.completeExceptionally(new RunGivenUp(how.reason(), code));
    keysToCome.completeExceptionally(new RunGivenUp(how.reason(), code));
  }

  @Override
  public void nodesEnded() {
    outbox.add(new Control.NodesEnded());
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** With what this process is to end. */
  public int exitCode() {
    return exitCode;
  }

  /** Time on the run's clock. */
  public Duration time() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private void listen() {
    String reason = "the coordinator is gone";
    try {
      for (Control message = channel.receive(); message != null; message = channel.receive()) {
        hear(message);
      }
    } catch (IOException | MalformedPayloadException e) {
      reason = "the connection to the coordinator broke: " + e.getMessage();
    }
    if (!closed && done.getCount() > 0) {
      ends(
          new Verdict(
              Outcome.Ending.INTERRUPTED,
              reason + "; what was recorded until then is kept in this worker's part"),
          ExitCode.TRY_AGAIN);
    }
    done.countDown();
    outbox.close();
  }

  private void hear(Control message) {
    switch (message) {
      case Control.Roster all -> rosterToCome.complete(all);
      case Control.AllKeys all -> keysToCome.complete(all);
      case Control.Refused refused ->
          rosterToCome.completeExceptionally(new UserException(refused.reason()));
      case Control.Echo echo -> {
        clock.answered(echo.sentAt(), echo.heardAt(), System.nanoTime());
        if (clock.isKnown(FIRST_BEATS)) {
          clockIsSet.countDown();
        }
      }
      case Control.Start at -> {
        start = at.zero() - clock.nanos();
        started = true;
        comings.started(at.lives());
        begun.countDown();
      }
      case Control.Stop stop -> ends(new Verdict(stop.ending(), stop.reason()), stop.exitCode());
      case Control.Over _ -> over = true;
      case Control.Gone gone -> {
        LOG.log(Level.WARNING, "{0}; its nodes are dropped", gone.reason());
        links.gone(gone.worker());
      }
      case Control.Lost lost -> {
        LOG.log(
            Level.INFO,
            lost.othersGoOn() ? "{0}; it is to join again" : "{0}; its nodes are waited for",
            lost.reason());
        links.lost(lost.worker());
      }
      case Control.Back back -> {
        links.expect(back);
        Thread.ofVirtual().start(() -> connect(back));
      }
      case Control.Saved saved -> links.saved(saved.rounds());
      case Control.Cut cut -> cuts.hear(cut.talk());
      case Control.Life life -> comings.hear(life.talk());
      case Control.Done _ -> done.countDown();
      default ->
          throw new MalformedPayloadException(
              "not for a worker: " + message.getClass().getSimpleName());
    }
  }

  /** Connects to one who has come back, and has it told what it needs to hear again. */
  private void connect(Control.Back back) {
    try {
      links.connect(back, worker -> dialler.dial(worker, this));
      cuts.lookAgain();
    } catch (IOException e) {
      end(
          new Verdict(
              Outcome.Ending.FAILED,
              "worker %d is back, but cannot be reached from worker %d: %s"
                  .formatted(back.worker(), rank.rank(), e.getMessage())),
          ExitCode.TRY_AGAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** On a platform thread of its own: however busy the nodes are, it must be heard in time. */
  private void beat() {
    try {
      for (int beats = 0; done.getCount() > 0; beats++) {
        Supplier<Standing> asked = standing;
        Standing now =
            asked == null || begun.getCount() > 0
                ? new Standing(new long[workers()], new long[workers()], false, false, "")
                : asked.get();
        channel.send(
            new Control.Heartbeat(
                System.nanoTime(),
                now.sent(),
                now.settled(),
                now.stuck(),
                now.rests(),
                now.waits()));
        if (done.await(
            (beats < FIRST_BEATS ? FIRST_BEAT : BEAT).toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (IOException e) {
      // The one who listens tells.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A link broke. Most often the coordinator knows why; when it does not, the run cannot go on. */
  private void linkLost(int worker, String reason, BooleanSupplier isExplained) {
    try {
      TimeUnit.NANOSECONDS.sleep(EXPLANATION.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (!over && verdict == null && !closed && !isExplained.getAsBoolean()) {
      end(
          new Verdict(
              Outcome.Ending.FAILED,
              "the link between workers %d and %d broke, though both live: %s"
                  .formatted(rank.rank(), worker, reason)),
          ExitCode.TRY_AGAIN);
    }
  }

  /** Hands in a piece of a file. */
  public void file(String name, boolean isLast, byte[] bytes) {
    outbox.add(new Control.File(name, isLast, bytes));
  }

  /**
   * Says that everything was handed in, and waits until it has arrived.
   *
   * @param peakMemory the most memory that this process held, in bytes
   */
  public void bye(long peakMemory, Duration patience) throws InterruptedException {
    outbox.add(new Control.Bye(peakMemory));
    if (!done.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new UserException("the coordinator does not take this worker's results");
    }
  }

  @Override
  public void close() {
    closed = true;
    outbox.close();
    channel.close();
  }
}
