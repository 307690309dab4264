package dev.grapevine.runtime.live;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Entry;
import dev.grapevine.runtime.EntryRounds;
import dev.grapevine.runtime.Hearsay;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Mailbox;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.report.AverageCollector;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the processes of a run tell each other of nodes that go down and come back. Every process
 * keeps account of all nodes; what happens to its own it tells, and where they enter again all say
 * together. Whoever changes who is there holds the lock of {@link #lives}.
 */
final class SharedChurn {

  private final LiveRun run;
  private final LiveChurn churn;
  private final Lives lives;
  private final Hearsay hearsay;
  private final SortedMap<Integer, LivePlace> places;
  private final EndedNodes ended;
  private final AverageCollector averages;
  private final EntryRounds entryRounds;
  private final Company company;
  private final Company.Comings comings;

  /** Where nodes begin that have asked for it themselves. */
  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();

  /** Nodes without a thread that wait to be told where they begin. */
  private final Set<Integer> entering = ConcurrentHashMap.newKeySet();

  /** Nodes that wait for it on their own threads. */
  private final Set<Integer> asking = ConcurrentHashMap.newKeySet();

  /** Whether all who have not ended are down, here and everywhere, and stay so. */
  private volatile boolean isNobodyLeft;

  SharedChurn(
      LiveRun run,
      LiveChurn churn,
      Lives lives,
      Hearsay hearsay,
      SortedMap<Integer, LivePlace> places,
      EndedNodes ended,
      AverageCollector averages,
      EntryRounds entryRounds,
      Company company) {
    this.run = run;
    this.churn = churn;
    this.lives = lives;
    this.hearsay = hearsay;
    this.places = places;
    this.ended = ended;
    this.averages = averages;
    this.entryRounds = entryRounds;
    this.company = company;
    comings = company.comings();
  }

  /** Begins to listen. */
  void begin() {
    // Whoever tells must not wait for those who are deciding where a node enters.
    comings.heardBy(new Hearing());
  }

  /** What other processes tell. */
  private final class Hearing implements Company.Comings.Listener {
    @Override
    public void wentDown(Company.NodeLife life, int from) {
      churn.later(() -> hearDown(life, from));
    }

    @Override
    public void isDue(int node, int life, boolean isFirst) {
      churn.later(() -> {
        synchronized (lives) {
          if (lives.returns(node) == life) {
            churn.bringBack(node, isFirst ? Entry.ANY_ROUND : lives.sureRound(node));
          }
        }
      });
    }

    @Override
    public void nobodyIsLeft() {
      isNobodyLeft = true;
    }
  }

  /** The lives of the nodes of this process, where others have to know them. */
  List<Company.NodeLife> ownLives() {
    return places.keySet().stream().map(lives::life).toList();
  }

  /**
   * Learns where all other nodes are, before any node of this process begins.
   *
   * @param isBack whether this process has come back, with nodes that were lost
   */
  void meet(boolean isBack, int firstRound) {
    synchronized (lives) {
      for (Company.NodeLife life : comings.atStart()) {
        LivePlace own = places.get(life.node());
        if (own == null) {
          hearsay.learn(life);
          if (life.isDown()) {
            tellAbsent(life, 0);
          }
        } else if (isBack && !ended.has(life.node())) {
          lives.wasLost(life, run.now(), firstRound);
          own.host().close();
          churn.tellGone(life.node());
        }
      }
    }
  }

  /** A life of another worker's node is over. */
  private void hearDown(Company.NodeLife life, int from) {
    synchronized (lives) {
      if (hearsay.hearDown(life, from)) {
        tellAbsent(life, from);
        run.isUpOrGone(life.node());
      }
    }
  }

  /** Asks for those of other workers that are back once someone begins {@code round}. */
  void askForWhoIsDue(int round) {
    synchronized (lives) {
      hearsay.dueBack(round).forEach(node -> comings.isDue(node, lives.returns(node)));
    }
  }

  /** Someone here is about to begin a round that others miss by their plans. */
  void begins(int round) {
    synchronized (lives) {
      hearsay.plannedToMiss(round).forEach(life -> hearDown(life, round));
    }
  }

  private void tellAbsent(Company.NodeLife life, int from) {
    int until = life.isSure() ? life.due() : Mailbox.FOR_GOOD;
    places.values().forEach(place -> place.host().hearAbsence(life.node(), from, until));
  }

  /** Does what is asked about a node that comes back; false when it is too early. */
  boolean carryOut(Company.LifeOrder order) {
    synchronized (lives) {
      boolean isDone =
          switch (order) {
            case Company.LifeOrder.Promise promise -> promise(promise);
            case Company.LifeOrder.Enter enter -> enter(enter);
          };
      if (isDone) {
        comings.done();
      }
      return isDone;
    }
  }

  /**
   * From the round that is promised on, all nodes here count on the one that comes back. Where it
   * is known that its life is over, or will be by its plan before it has begun, they do not; but
   * whoever asks waits for all to answer.
   */
  private boolean promise(Company.LifeOrder.Promise asked) {
    int node = asked.node();
    if (hearsay.isPast(node, asked.life())) {
      comings.promise(asked, asked.joins() ? firstRound(asked.sure()) : 0);
      return true;
    }
    if (!comings.isConnected(company.workerOf(node))) {
      return false;
    }
    if (hearsay.hearUp(node, asked.life(), asked.sure())) {
      comings.promise(asked, asked.joins() ? countOn(node, asked.sure()) : 0);
      run.isUpOrGone(node);
    }
    return true;
  }

  private int firstRound(int sure) {
    return sure == Entry.ANY_ROUND ? entryRounds.firstFree(churn.nodes()) : sure;
  }

  /** From which round on the nodes here count on one that comes back. */
  private int countOn(int node, int sure) {
    int round = firstRound(sure);
    places.values().forEach(place -> place.host().hearReturn(node, round));
    return round;
  }

  private boolean enter(Company.LifeOrder.Enter enter) {
    LivePlace place = places.get(enter.node());
    if (place != null) {
      begin(place, enter);
    } else if (enter.joins() && hearsay.hearIn(enter.node(), enter.life())) {
      places.values().forEach(each -> each.host().hearReturn(enter.node(), enter.round()));
    }
    return true;
  }

  /** Lets a node of this process begin a life that all others know of. */
  private void begin(LivePlace place, Company.LifeOrder.Enter enter) {
    int id = enter.node();
    entering.remove(id);
    boolean isOfAnotherLife = lives.isDown(id) || lives.returns(id) != enter.life();
    if (ended.has(id) || run.isStopping() || isOfAnotherLife) {
      return;
    }
    if (!enter.joins()) {
      start(place);
    } else if (asking.remove(id)) {
      entries.put(id, enterAt(place, enter));
      place.host().signal();
    } else if (entryRounds.isPastTheEnd(enter.round())) {
      place.host().close();
      run.enterEnd(place, LiveChurn.left("node %d was down when the run ended".formatted(id)));
      run.staysDown();
    } else {
      place.node().enter(enterAt(place, enter));
      start(place);
    }
  }

  private void start(LivePlace place) {
    place.host().awaitsEntry(false);
    churn.plan(place.host().id());
    place.start(run.thread(place.host().id()));
  }

  private Entry enterAt(LivePlace place, Company.LifeOrder.Enter enter) {
    int id = place.host().id();
    int round = enter.round();
    averages.isBack(id);
    Entry entry = entryRounds.entry(round, enter.savedAfter());
    place.node().enterAt(entry, run.now());
    places.values().forEach(other -> other.host().hearReturn(id, round));
    return entry;
  }

  /** A life of a node of this process is over. */
  void wentDown(int id) {
    asking.remove(id);
    entries.remove(id);
    comings.wentDown(lives.life(id), Objects.requireNonNull(places.get(id)).node().ownRound());
  }

  /** A node of this process takes messages again and asks where it begins. */
  void comesBack(LivePlace place, ComesBackWith with, int sure) {
    place.node().beginAnew(with, null);
    place.host().awaitsEntry(true);
    entering.add(place.host().id());
    ask(place, with != ComesBackWith.NEIGHBOUR, sure);
  }

  /** A node that speaks already asks where it takes part; on its own thread. */
  void askToJoin(int id) {
    synchronized (lives) {
      asking.add(id);
      ask(Objects.requireNonNull(places.get(id)), true, Entry.ANY_ROUND);
    }
  }

  /**
   * Asks all others where a node of this process enters.
   *
   * @param sure the round that all know; {@link Entry#ANY_ROUND} if that is open
   */
  private void ask(LivePlace place, boolean joins, int sure) {
    int id = place.host().id();
    boolean isSure = joins && sure != Entry.ANY_ROUND;
    // Whoever begins that round next must know it by then.
    int round = isSure ? countOn(id, sure) : place.node().ownRound();
    comings.comesBack(id, lives.returns(id), joins, round, isSure);
  }

  boolean hasEntry(int id) {
    return entries.containsKey(id);
  }

  Entry takeEntry(int id) {
    return Objects.requireNonNull(entries.remove(id));
  }

  /** Whether a node of this process waits to be told where it begins, and has no thread yet. */
  boolean isEntering(int id) {
    return entering.contains(id);
  }

  /** Whether all who have not ended are down, here and everywhere, and stay so. */
  boolean isNobodyLeft() {
    return isNobodyLeft;
  }
}
