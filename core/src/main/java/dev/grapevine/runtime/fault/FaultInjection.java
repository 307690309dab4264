package dev.grapevine.runtime.fault;

import dev.grapevine.message.Payload;
import dev.grapevine.random.L64X128Mix;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.state.State;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes one node go wrong in the ways its plan says. */
public final class FaultInjection {

  private static final int ROUNDS_OFF = 7;

  private final List<InjectedFault> faults;
  private final L64X128Mix random;
  private final Consumer<InjectedFault> told;

  /** Faults that end a life strike once; those that have, by their number. */
  private final BitSet struck = new BitSet();

  private int trainings;

  private FaultInjection(
      List<InjectedFault> faults,
      Set<InjectedFault> mended,
      L64X128Mix random,
      Consumer<InjectedFault> told) {
    this.faults = faults;
    this.random = random;
    this.told = told;
    for (int i = 0; i < faults.size(); i++) {
      struck.set(i, mended.contains(faults.get(i)));
    }
  }

  /**
   * What goes wrong with {@code node}; null for a healthy one.
   *
   * @param told hears of every fault that ends a life when it strikes
   */
  public static @Nullable FaultInjection of(
      Faults all, int node, long seed, Consumer<InjectedFault> told) {
    List<InjectedFault> faults =
        all.injected().stream().filter(fault -> fault.node() == node).toList();
    return faults.isEmpty()
        ? null
        : new FaultInjection(faults, all.mended(), RandomStreams.of(seed, node, "faults"), told);
  }

  /** Declares how far it has got. */
  public void declare(State state) {
    state.stream("random", random);
    state.value("trainings", () -> trainings, saved -> trainings = (int) saved);
    state.values("struck", struck::toLongArray, saved -> struck.or(BitSet.valueOf(saved)));
  }

  /** Called before the node's training; returns how much longer it takes, in ns. */
  public long beforeTraining() {
    if (strikesOnce(Fault.STOPS_SILENTLY)) {
      throw NodeFailure.silent("stopped silently, as its injected fault says");
    }
    if (strikesOnce(Fault.THROWS)) {
      throw new NodeFailure("training threw, as its injected fault says");
    }
    long delay = 0;
    for (InjectedFault fault : faults) {
      if (fault.fault() == Fault.IS_SLOW && fault.fromRound() <= trainings) {
        delay += fault.delay().toNanos();
      }
    }
    trainings++;
    return delay;
  }

  public int round(int round) {
    return strikes(Fault.SENDS_WRONG_ROUND) ? round + ROUNDS_OFF : round;
  }

  public Payload payload(Payload payload) {
    if (strikes(Fault.SENDS_NAN)) {
      return noNumbers(payload);
    }
    if (!strikes(Fault.SENDS_GARBAGE)) {
      return payload;
    }
    byte[] garbage = new byte[random.nextInt(2 * payload.size() + 2)];
    random.nextBytes(garbage);
    // Never of the right length by chance: that would be a valid model of random numbers.
    return Payload.of(garbage.length == payload.size() ? new byte[garbage.length + 1] : garbage);
  }

  /** As long as it was; what is not metadata are floats that are none, from the end on. */
  private static Payload noNumbers(Payload payload) {
    ByteBuffer bytes = ByteBuffer.allocate(payload.size()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(payload.buffer());
    int end = payload.size() - Float.BYTES;
    for (int at = end; at >= payload.metadataSize(); at -= Float.BYTES) {
      bytes.putFloat(at, Float.NaN);
    }
    return Payload.of(bytes.array(), payload.size(), payload.metadataSize());
  }

  public int copies() {
    return strikes(Fault.SENDS_TWICE) ? 2 : 1;
  }

  private boolean strikesOnce(Fault kind) {
    for (int i = 0; i < faults.size(); i++) {
      InjectedFault fault = faults.get(i);
      if (fault.fault() == kind && fault.fromRound() <= trainings && !struck.get(i)) {
        struck.set(i);
        told.accept(fault);
        return true;
      }
    }
    return false;
  }

  private boolean strikes(Fault kind) {
    int roundsBegun = trainings + (kind.beforeTraining() ? 1 : 0);
    for (InjectedFault fault : faults) {
      if (fault.fault() == kind && (fault.fromRound() == 0 || fault.fromRound() < roundsBegun)) {
        return true;
      }
    }
    return false;
  }
}
