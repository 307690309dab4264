package dev.grapevine.privacy;

import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import java.util.SortedMap;
import java.util.function.IntFunction;

/**
 * What a run gives its privacy to begin with.
 *
 * @param nodes how many nodes there are
 * @param seed the run's seed, for what need not be secret
 * @param session this start of the run: another one after each resume and fork
 * @param secrets where a node's secrets come from
 * @param own the nodes of this process
 * @param keys how public keys get around
 * @param lossEndsRun whether the run ends with the first node that is lost or silent
 */
public record Start(
    int nodes,
    long seed,
    Session session,
    IntFunction<Secrets> secrets,
    int[] own,
    KeyExchange keys,
    boolean lossEndsRun) {

  /** How public keys get around: between processes, in the roster. */
  @FunctionalInterface
  public interface KeyExchange {

    /** All nodes' keys, once everybody has told his; within one process they are here. */
    KeyExchange WITHIN_PROCESS = own -> own;

    /**
     * Tells the keys of this process's nodes and returns those of all.
     *
     * @param own by node
     */
    SortedMap<Integer, byte[]> complete(SortedMap<Integer, byte[]> own);
  }
}
