package dev.grapevine.runtime;

import dev.grapevine.exchange.Secrecy;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.fault.FaultInjection;
import dev.grapevine.runtime.fault.NodeFailure;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import dev.grapevine.state.State;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node of either runtime: all that does not depend on the clock. It has one {@link Life} after
 * the other; what it has sent and counted, and what it remembers, outlives them.
 */
public final class RunningNode {

  private final int id;
  private final Plan plan;
  private final Host host;
  private final Observer observer;
  private final AverageCollector averages;
  private final Account account;
  private final Post post;
  private final @Nullable FaultInjection faults;
  private final Memory memory;
  private final Acquaintance acquaintance;
  private final RoundEnd roundEnd;
  private Life life;

  /** Whether it has to ask a neighbour for its model before it begins. */
  private boolean asksFirst;

  public RunningNode(
      Plan plan, Host host, Observer observer, AverageCollector averages, ScratchPool scratches) {
    this.id = host.id();
    this.plan = plan;
    this.host = host;
    this.observer = observer;
    this.averages = averages;
    NodeSetup setup = plan.setup(id);
    account = new Account(host);
    faults = FaultInjection.of(plan.faults(), id, plan.seed(), observer::faultStruck);
    post = new Post(plan, host, observer, account, scratches, faults);
    memory = new Memory(host, setup.state());
    acquaintance = new Acquaintance(plan, host, account, post);
    roundEnd = new RoundEnd(plan, host, observer, averages, account, post, memory, acquaintance);
    Secrecy secrecy = setup.secrecy();
    life =
        life(
            setup,
            secrecy == null ? null : secrecy.at(new PostDesk(plan, host, account, post)),
            Entry.withoutRest(plan.saving().from().firstRound()));
    if (plan.saving().isUsed()) {
      declare(setup.state().part(Memory.PLACE));
    }
    memory.keep(host.lives().kept(id));
  }

  private Life life(NodeSetup setup, @Nullable SecretSum secret, @Nullable Entry entry) {
    return new Life(
        plan, host, observer, account, post, faults, memory, roundEnd, setup, secret, entry);
  }

  /**
   * Begins another life, which has nothing of the one before but what was counted.
   *
   * @param with what the node comes back with
   * @param entry where it begins; null if that is said later, by {@link #enter} or once it has
   *     asked a neighbour for its model
   */
  public void beginAnew(ComesBackWith with, @Nullable Entry entry) {
    BiFunction<Integer, State, NodeSetup> maker = plan.saving().maker();
    if (maker == null) {
      throw new IllegalStateException("nobody can make a node anew: node=" + id);
    }
    NodeSetup setup = maker.apply(id, memory.recalled(with));
    life = life(setup, null, entry);
    memory.begin(setup.state());
    asksFirst = with == ComesBackWith.NEIGHBOUR;
  }

  /** Says where a life begins that has not begun yet. */
  public void enter(Entry where) {
    life.enter(where);
  }

  public int id() {
    return id;
  }

  /** The round of its own that the node is in, or was when it went down; asked from anywhere. */
  public int ownRound() {
    return account.ownRound();
  }

  /** The round of its own that it has begun last, or is to begin; asked from anywhere. */
  public int begunRound() {
    return account.begun();
  }

  /** Passes on how many rounds it misses, to those who wait for averages too. */
  public void enterAt(Entry where, long now) {
    int round = where.firstRound();
    int missed = round - account.ownRound();
    host.lives().joined(id, missed);
    account.skipTo(round);
    if (where.rests()) {
      // It has yet to begin that round, like all others.
      account.begins(where.restsAfter());
    }
    host.beginAt(round);
    averages.passed(id, round - 1, now);
    observer.nodeIsBack(id, round, Math.max(0, missed));
    life.record(round, "restarts", host.lives().returns(id));
    life.record(round, "rounds_lost", host.lives().roundsLost(id));
  }

  private void declare(State state) {
    account.declare(state);
    host.declare(state, () -> account.round() - 1);
    post.declare(state);
    if (host.lives().isUsed()) {
      host.lives().declare(id, state);
    }
    if (faults != null) {
      faults.declare(state.part("faults"));
    }
    averages.passed(id, life.firstRound() - 1, host.now());
  }

  /**
   * All that the node remembers, to be asked for and copied while it rests: vectors are its own.
   */
  public Map<String, State.Saved> view() {
    return memory.view();
  }

  /** Runs the protocol to its end, whichever it is. Called once, on the node's own thread. */
  @SuppressWarnings("CatchingUnchecked") // whatever a node throws is the node's failure
  public NodeEnd run() {
    NodeEnd end;
    try {
      acquaintance.answerWhoAsks(life.learner());
      enter();
      life.live();
      end = new NodeEnd(NodeOutcome.Status.FINISHED, "", false);
    } catch (InterruptedException | RunStopped | CancellationException stopped) {
      end = new NodeEnd(NodeOutcome.Status.STOPPED, "the run was stopped", false);
    } catch (NodeFailure failure) {
      end = new NodeEnd(NodeOutcome.Status.FAILED, describe(failure), failure.isSilent());
    } catch (Throwable thrown) {
      observer.thrown(id, account.round(), thrown);
      end = new NodeEnd(NodeOutcome.Status.FAILED, describe(thrown), false);
    }
    averages.ended(id, host.now());
    post.tellLinks();
    if (account.roundsFinished() == 0) {
      // A client of a server finishes no rounds of its own.
      roundEnd.tellWithoutRound(life.secret());
    }
    return end;
  }

  /** Gets what a life begins with, and waits for where it does. */
  private void enter() throws InterruptedException {
    if (asksFirst) {
      asksFirst = false;
      acquaintance.ask(life.learner(), life.state());
      life.enter(host.join());
    }
    Entry from = life.entry();
    if (from == null) {
      throw new IllegalStateException("nobody has said where node %d begins".formatted(id));
    }
    // One that comes back in the same round may do so after this one, and is to be counted on.
    host.bringBackWhoIsDue(from.firstRound());
    if (from.rests()) {
      roundEnd.rest(from.restsAfter());
      roundEnd.begin(from.firstRound());
    }
  }

  private String describe(Throwable thrown) {
    return "node %d failed in round %d: %s".formatted(id, account.round(), FailureText.of(thrown));
  }

  /** The outcome, to be asked for once the node has ended and its mailbox is closed. */
  public NodeOutcome outcome(NodeEnd end) {
    return new NodeOutcome(
        id,
        end.status(),
        end.reason(),
        account.roundsFinished(),
        host.mailbox().unread(),
        account.traffic(),
        account.phases());
  }
}
