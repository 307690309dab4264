package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.network.Inbox;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.ModelSum;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers without nodes join, hear who is there, and go. */
final class WorkersJoinTest {

  private static final Joining.Papers PAPERS =
      new Joining.Papers("1.0", new int[] {0}, "experiment", "data", "here", 0);

  private final RunSecret secret = RunSecret.random();
  private final Coordinator coordinator =
      new Coordinator(LinkSecurity.loopback(secret), InetAddress.getLoopbackAddress(), 0);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Notebook notebook = new Notebook();

  @AfterEach
  void close() {
    coordinator.close();
    threads.shutdownNow();
  }

  /** Notes what is gathered. */
  private static final class Notebook implements Gathering {
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final List<InjectedFault> struck = new CopyOnWriteArrayList<>();

    @Override
    public List<InjectedFault> struck() {
      return struck;
    }

    @Override
    public void joined(String worker, int missing) {
      lines.add(worker + " joined, " + missing);
    }

    @Override
    public void begun(List<WorkerPlace> workers) {
      begun.countDown();
    }

    @Override
    public void event(Event event) {}

    @Override
    public void sum(int worker, ModelSum sum, long now) {}

    @Override
    public void line(String worker, boolean isWarning, String text) {
      lines.add(text);
    }

    @Override
    public void part(int worker, int rounds, String part) {}

    @Override
    public void file(int worker, String name, boolean isLast, byte[] bytes) {}

    @Override
    public void lost(int worker, String reason, long when) {
      lines.add(reason);
    }

    @Override
    public void endsFor(int worker, String reason) {
      lines.add("ends for %d: %s".formatted(worker, reason));
    }

    @Override
    public String whereabouts(int worker) {
      return "somewhere";
    }

    @Override
    public Company.@Nullable Verdict verdict() {
      return null;
    }
  }

  private Terms terms(int workers, boolean drops) {
    return new Terms(
        "1.0",
        "experiment",
        "data",
        Placement.blocks(workers, workers, workers),
        "run",
        false,
        drops,
        Patience.USUAL,
        Terms.From.THE_BEGINNING);
  }

  /** Others wait for a worker that was lost, or go on. */
  private static Terms comingBack(Patience patience, Replacements starts, boolean othersGoOn) {
    return new Terms(
        "1.0",
        "experiment",
        "data",
        Placement.blocks(2, 2, 2),
        "run",
        false,
        false,
        patience,
        Terms.From.THE_BEGINNING,
        starts,
        othersGoOn);
  }

  private WorkerSession join(int rank, int world, RunSecret with, Joining.Papers papers)
      throws InterruptedException {
    return new Joining(
            new Rank(rank, world),
            LinkSecurity.loopback(with),
            Optional.empty(),
            new Joining.Manner(Optional.empty(), 0, 1, 1 << 20, Patience.USUAL))
        .join(new Rendezvous.At("127.0.0.1", coordinator.port()), papers);
  }

  private static Joining.Papers of(int rank) {
    return new Joining.Papers("1.0", new int[] {rank}, "experiment", "data", "here", 0);
  }

  private Future<Coordinator.Result> coordinate(int workers, boolean drops) {
    return threads.submit(() -> coordinator.run(terms(workers, drops), notebook));
  }

  /** A worker that begins and waits for the end. */
  private Future<WorkerSession> worker(int rank, int world) {
    return worker(rank, world, new Saver(-1), rounds -> {});
  }

  /**
   * @param saver saves its nodes
   * @param saved hears after how many rounds all are saved
   */
  private Future<WorkerSession> worker(int rank, int world, Saver saver, IntConsumer saved) {
    return threads.submit(() -> {
      WorkerSession session = join(rank, world, secret, of(rank));
      session.cutting().savedBy(saver);
      session.keptBy(
          new Company.Comeback() {
            @Override
            public void saved(int rounds) {
              saved.accept(rounds);
            }

            @Override
            public void back(int worker, int rounds, Runnable connect) {
              connect.run();
            }
          });
      session.open(new Deaf());
      session.begin(
          () -> new Company.Standing(new long[world], new long[world], false, false, ""),
          List.of());
      return session;
    });
  }

  /** Has ended a round, and hears after which it is to save. */
  private record Saver(int latest, CompletableFuture<Integer> after) implements WorkerCuts.Saver {

    Saver(int latest) {
      this(latest, new CompletableFuture<>());
    }

    @Override
    public int hold() {
      return latest;
    }

    @Override
    public void saveAfter(int round) {
      after.complete(round);
    }
  }

  /** Takes nothing. */
  private static final class Deaf implements Inbox {
    @Override
    public void deliver(int receiver, dev.grapevine.message.Message message) {}

    @Override
    public boolean offer(int receiver, dev.grapevine.message.Message message) {
      return true;
    }

    @Override
    public void gone(int receiver, int peer) {}

    @Override
    public void refused(int receiver, int peer, String reason) {}
  }

  /** What a worker was told that has said bye: all that came before the answer. */
  private static Company.Verdict verdict(WorkerSession session) {
    return Objects.requireNonNull(session.verdict());
  }

  /** All at the same time: the coordinator lets them go together. */
  private void sayBye(List<WorkerSession> sessions) throws Exception {
    List<Future<?>> byes = new ArrayList<>();
    for (WorkerSession session : sessions) {
      byes.add(
          threads.submit(() -> {
            session.bye(1, Duration.ofMinutes(1));
            return null;
          }));
    }
    for (Future<?> bye : byes) {
      bye.get();
    }
  }

  private void refused(Joining.Papers papers, String why) throws Exception {
    Future<Coordinator.Result> result = coordinate(1, false);
    assertThatThrownBy(() -> join(0, 1, secret, papers))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("worker 0 on here is refused: ")
        .hasMessageContaining(why);
    // The right one still gets in.
    try (WorkerSession session = worker(0, 1).get()) {
      session.nodesEnded();
      session.bye(1, Duration.ofMinutes(1));
      assertThat(session.exitCode()).isZero();
    }
    assertThat(result.get().verdict().ending()).isEqualTo(Outcome.Ending.DONE);
  }

  @Test
  void anotherExperimentIsRefused() throws Exception {
    refused(
        new Joining.Papers("1.0", new int[] {0}, "other", "data", "here", 0),
        "its experiment differs from that of the run");
  }

  @Test
  void otherDataAreRefused() throws Exception {
    refused(
        new Joining.Papers("1.0", new int[] {0}, "experiment", "other", "here", 0),
        "its data differ from those of the run");
  }

  @Test
  void anotherVersionIsRefused() throws Exception {
    refused(
        new Joining.Papers("0.9", new int[] {0}, "experiment", "data", "here", 0),
        "it is Grapevine 0.9");
  }

  @Test
  void otherNodesAreRefused() throws Exception {
    refused(
        new Joining.Papers("1.0", new int[] {0, 1}, "experiment", "data", "here", 0),
        "it has built nodes 0-1, but is to have 0");
  }

  @Test
  void oneWhoDoesNotKnowTheSecretIsRefused() {
    Future<Coordinator.Result> result = coordinate(1, false);
    assertThatThrownBy(() -> join(0, 1, RunSecret.random(), PAPERS))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("worker 0 cannot join at 127.0.0.1:");
    assertThat(result).isNotDone();
  }

  /** Runs a run of two workers to its end. */
  private void runToTheEnd(Future<Coordinator.Result> result) throws Exception {
    Future<WorkerSession> zero = worker(0, 2);
    Future<WorkerSession> one = worker(1, 2);
    for (Future<WorkerSession> worker : List.of(zero, one)) {
      worker.get().nodesEnded();
    }
    sayBye(List.of(zero.get(), one.get()));
    assertThat(result.get().exitCode()).isZero();
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), coordinator.port()));
  }

  /** Some say nothing, some say nonsense, some say a greeting byte by byte and never its end. */
  @Test
  void twoThousandStrangersDisturbNobody() throws Exception {
    List<SocketChannel> strangers = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(3);
    Future<Coordinator.Result> result = coordinate(2, false);
    for (int i = 0; i < 2000; i++) {
      SocketChannel stranger = connect();
      strangers.add(stranger);
      if (i % 3 == 0) {
        byte[] garbage = new byte[1 + random.nextInt(100)];
        random.nextBytes(garbage);
        stranger.write(ByteBuffer.wrap(garbage));
      } else if (i % 3 == 1) {
        stranger.write(ByteBuffer.wrap(new byte[] {'G'}));
      }
    }
    for (SocketChannel slow : strangers.subList(1990, 2000)) {
      try {
        slow.write(ByteBuffer.wrap(new byte[] {'R'}));
      } catch (IOException turnedAway) {
        continue;
      }
    }
    runToTheEnd(result);
    assertThat(notebook.lines)
        .filteredOn(line -> line.contains("turned away"))
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(10)
        .noneMatch(line -> line.contains("\n"));
    for (SocketChannel stranger : strangers) {
      stranger.close();
    }
  }

  /** Joins as a worker does, but by hand. */
  private ControlChannel joinByHand(int rank, SocketChannel socket) throws IOException {
    ControlChannel channel =
        new ControlChannel(
            LinkSecurity.loopback(secret)
                .open(socket, new Greeting(Greeting.Purpose.CONTROL, rank, Greeting.COORDINATOR)));
    channel.send(
        new Control.Join(
            Control.VERSION,
            "1.0",
            rank,
            2,
            new int[] {rank},
            "experiment",
            "data",
            "here",
            "127.0.0.1",
            1,
            "",
            1,
            new byte[0],
            0));
    return channel;
  }

  private void awaitLine(String part) throws InterruptedException {
    while (!notebook.lines.take().contains(part)) {
      continue;
    }
  }

  /** All that a worker said when it joined is said again, bit for bit. */
  @Test
  void aReplayedJoinIsRefused() throws Exception {
    Future<Coordinator.Result> result = coordinate(2, false);
    ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    try (ServerSocketChannel eavesdropper = ServerSocketChannel.open()) {
      eavesdropper.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Future<?> relay = threads.submit(() -> relay(eavesdropper, recorded));
      SocketChannel socket = SocketChannel.open(eavesdropper.getLocalAddress());
      ControlChannel member = joinByHand(1, socket);
      awaitLine("worker 1 on here joined, 1");
      try (SocketChannel replayer = connect()) {
        replayer.write(ByteBuffer.wrap(recorded.toByteArray()));
        awaitLine("whoever says that it is worker 1 does not know the secret of this run");
      }
      // One who knows the secret cannot take another's place either.
      ControlChannel second = joinByHand(1, connect());
      assertThat(second.receive())
          .isEqualTo(
              new Control.Refused("worker 1 on here is refused: there is a worker 1 already"));
      member.close();
      relay.cancel(true);
    }
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
  }

  /** Passes on what an opener says, and keeps it. */
  private Void relay(ServerSocketChannel eavesdropper, ByteArrayOutputStream recorded)
      throws IOException {
    try (SocketChannel opener = eavesdropper.accept();
        SocketChannel acceptor = connect()) {
      threads.submit(() -> copy(acceptor, opener, new ByteArrayOutputStream()));
      return copy(opener, acceptor, recorded);
    }
  }

  private static Void copy(SocketChannel from, SocketChannel to, ByteArrayOutputStream kept)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4096);
    while (from.read(bytes.clear()) >= 0) {
      kept.write(bytes.array(), 0, bytes.position());
      bytes.flip();
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
    }
    return null;
  }

  /** Even where workers may be dropped: a run that has not begun has nothing to go on with. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkerLostBeforeTheStartEndsTheRun(boolean drops) throws Exception {
    Future<Coordinator.Result> result = coordinate(2, drops);
    ControlChannel early = joinByHand(1, connect());
    awaitLine("worker 1 on here joined, 1");
    early.close();
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
    assertThat(result.get().verdict().reason())
        .startsWith("worker 1 on here (somewhere) was lost: its connection was closed");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkerLostBeforeItJoinedEndsTheRun(boolean drops) throws Exception {
    Future<Coordinator.Result> result = coordinate(2, drops);
    coordinator.processEnded(1, "here", OptionalInt.of(137), "");
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
    assertThat(result.get().verdict().reason())
        .isEqualTo("worker 1 on here (node 1) ended with exit code 137 before it joined");
  }

  /** What its nodes have learned was not handed in, unless nobody has asked for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWorkerLostAfterItsLastRoundIsLostLikeAnyOther(boolean drops) throws Exception {
    Future<Coordinator.Result> result = coordinate(2, drops);
    Future<WorkerSession> zero = worker(0, 2);
    Future<WorkerSession> one = worker(1, 2);
    zero.get();
    one.get().nodesEnded();
    one.get().close();
    awaitLine("worker 1 on here (somewhere) was lost");
    zero.get().nodesEnded();
    sayBye(List.of(zero.get()));
    assertThat(result.get().exitCode()).isEqualTo(drops ? ExitCode.DONE : ExitCode.TRY_AGAIN);
  }

  @Test
  void aWorkerThatIsGoneEndsTheRunForAll() throws Exception {
    Future<Coordinator.Result> result = coordinate(3, false);
    List<Future<WorkerSession>> workers = List.of(worker(0, 3), worker(1, 3), worker(2, 3));
    for (Future<WorkerSession> worker : workers) {
      worker.get();
    }
    workers.get(1).get().close();
    awaitLine("ends for 1: worker 1 on here (somewhere) was lost: ");
    List<WorkerSession> left = List.of(workers.get(0).get(), workers.get(2).get());
    sayBye(left);
    for (WorkerSession session : left) {
      assertThat(verdict(session).reason()).contains("worker 1 on here (somewhere) was lost: ");
      assertThat(session.exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
    }
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
  }

  @Test
  void theRunGoesOnWithoutAWorkerWhereItMay() throws Exception {
    Future<Coordinator.Result> result = coordinate(2, true);
    Future<WorkerSession> first = worker(0, 2);
    Future<WorkerSession> second = worker(1, 2);
    WorkerSession zero = first.get();
    second.get().close();
    awaitLine("worker 1 on here (somewhere) was lost");
    zero.nodesEnded();
    zero.bye(1, Duration.ofMinutes(1));
    assertThat(result.get().exitCode()).isZero();
  }

  @Test
  void whoeverJoinsHearsWhichFaultsHaveStruckByThen() throws Exception {
    InjectedFault early = new InjectedFault(Fault.THROWS, 0, 3);
    InjectedFault late = new InjectedFault(Fault.THROWS, 1, 5);
    notebook.struck.add(early);
    CompletableFuture<Integer> startedAgain = new CompletableFuture<>();
    Terms terms = comingBack(Patience.USUAL, (rank, rounds) -> startedAgain.complete(rank), true);
    Future<Coordinator.Result> result = threads.submit(() -> coordinator.run(terms, notebook));
    Future<WorkerSession> zero = worker(0, 2);
    Future<WorkerSession> one = worker(1, 2);
    assertThat(zero.get().mended()).containsExactly(early);
    assertThat(one.get().mended()).containsExactly(early);
    notebook.struck.add(late);
    one.get().close();
    startedAgain.get();
    WorkerSession back = worker(1, 2).get();
    assertThat(back.mended()).containsExactlyInAnyOrder(early, late);
    coordinator.end(Outcome.Ending.INTERRUPTED, "enough", ExitCode.INTERRUPTED);
    sayBye(List.of(zero.get(), back));
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.INTERRUPTED);
  }

  /** Else it would not know after which round all are saved, and nothing would end. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunThatIsToStopWaitsForAWorkerThatComesBack(boolean othersGoOn) throws Exception {
    CompletableFuture<Integer> startedAgain = new CompletableFuture<>();
    CompletableFuture<Integer> heard = new CompletableFuture<>();
    Terms terms =
        comingBack(Patience.USUAL, (rank, rounds) -> startedAgain.complete(rank), othersGoOn);
    Future<Coordinator.Result> result = threads.submit(() -> coordinator.run(terms, notebook));
    Saver zero = new Saver(7);
    Future<WorkerSession> first = worker(0, 2, zero, heard::complete);
    Future<WorkerSession> second = worker(1, 2);
    first.get();
    second.get().close();
    startedAgain.get();
    coordinator.saveAndStop();
    if (!othersGoOn) {
      // By then the coordinator knows that it was started.
      coordinator.saved(0);
      heard.get();
    }
    Saver one = new Saver(3);
    WorkerSession back = worker(1, 2, one, rounds -> {}).get();
    assertThat(zero.after().get()).isEqualTo(8);
    assertThat(one.after().get()).isEqualTo(8);
    coordinator.saved(9);
    sayBye(List.of(first.get(), back));
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(result.get().verdict().reason()).isEqualTo("the run was interrupted");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunThatIsToStopDoesNotWaitForEver(boolean othersGoOn) throws Exception {
    Duration minute = Duration.ofMinutes(1);
    Patience brief = new Patience(minute, minute, minute, Duration.ofMillis(1));
    Future<Coordinator.Result> result =
        threads.submit(
            () -> coordinator.run(comingBack(brief, (rank, rounds) -> true, othersGoOn), notebook));
    Future<WorkerSession> zero = worker(0, 2);
    Future<WorkerSession> one = worker(1, 2);
    zero.get();
    one.get().close();
    awaitLine("worker 1 on here (somewhere) was lost");
    coordinator.saveAndStop();
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(result.get().verdict().reason())
        .startsWith("the run was interrupted and is kept as it was after round 0: ");
  }

  @Test
  void aRunThatIsToStopEndsAsInterruptedWhenAWorkerIsLost() throws Exception {
    Future<Coordinator.Result> result = coordinate(2, false);
    Future<WorkerSession> zero = worker(0, 2);
    Future<WorkerSession> one = worker(1, 2);
    zero.get();
    coordinator.saveAndStop();
    one.get().close();
    awaitLine("ends for 1: worker 1 on here (somewhere) was lost: ");
    sayBye(List.of(zero.get()));
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(result.get().verdict().reason()).contains("worker 1 on here (somewhere) was lost: ");
  }

  @Test
  void workersWhoAllWaitForEachOtherAreStalled() throws Exception {
    Future<Coordinator.Result> result = coordinate(2, false);
    List<Future<WorkerSession>> workers = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int own = rank;
      workers.add(
          threads.submit(() -> {
            WorkerSession session = join(own, 2, secret, of(own));
            session.open(new Deaf());
            session.begin(
                () ->
                    new Company.Standing(
                        new long[] {own, 1 - own},
                        new long[] {own, 1 - own},
                        true,
                        false,
                        "the run is stalled:\n  node %d waits".formatted(own)),
                List.of());
            return session;
          }));
    }
    List<WorkerSession> sessions = List.of(workers.get(0).get(), workers.get(1).get());
    sayBye(sessions);
    for (WorkerSession session : sessions) {
      assertThat(verdict(session).ending()).isEqualTo(Outcome.Ending.STALLED);
    }
    assertThat(result.get().verdict().ending()).isEqualTo(Outcome.Ending.STALLED);
    assertThat(result.get().verdict().reason()).contains("node 0 waits").contains("node 1 waits");
  }

  @Test
  void aMissingWorkerIsNamed() throws Exception {
    Patience little = Patience.USUAL.withJoin(Duration.ofMillis(200));
    Terms terms =
        new Terms(
            "1.0",
            "experiment",
            "data",
            Placement.blocks(4, 4, 2),
            "run",
            false,
            false,
            little,
            Terms.From.THE_BEGINNING);
    CompletableFuture<Coordinator.Result> result =
        CompletableFuture.supplyAsync(() -> coordinator.run(terms, notebook), threads);
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
    assertThat(result.get().verdict().reason())
        .contains("worker 0 (nodes 0-1), worker 1 (nodes 2-3)");
  }
}
