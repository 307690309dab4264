package dev.grapevine.privacy;

import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import java.util.function.IntFunction;

/**
 * What a run gives its privacy to begin with.
 *
 * @param nodes how many nodes there are
 * @param seed the run's seed, for what need not be secret
 * @param session this start of the run: another one after each resume and fork
 * @param secrets where a node's secrets come from
 * @param own the nodes of this process
 * @param lossEndsRun whether the run ends with the first node that is lost or silent
 */
public record Start(
    int nodes,
    long seed,
    Session session,
    IntFunction<Secrets> secrets,
    int[] own,
    boolean lossEndsRun) {}
