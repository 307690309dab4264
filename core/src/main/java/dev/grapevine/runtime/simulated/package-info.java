/**
 * The virtual clock.
 *
 * <p><b>The baton.</b> In a simulated run exactly one thread at a time holds the <i>baton</i> and
 * may touch the simulation. A node that has to wait takes events in order of time on its own stack
 * until one of them makes a node runnable, hands the baton to that node and parks; if it is that
 * node itself, it simply returns. There is no scheduler thread in between, so that a hand-over is
 * one switch of virtual threads, and while a simulation runs they all share one carrier. Nothing
 * may be touched between handing over and waking up.
 *
 * <p><b>Causality.</b> A node's code takes no virtual time. Training takes what the compute model
 * says, a message what the link model says. A compute model that measures counts encoding and
 * merging too, but no evaluation. The real work of a training starts at once on the pool and is
 * waited for only when the clock reaches its end, so that all cores are busy although the clock has
 * one hand. Since payloads cannot change and events are taken in one order, the outcome depends on
 * the seed alone, whatever the number of threads; the trace hash shows it.
 */
@NullMarked
package dev.grapevine.runtime.simulated;

import org.jspecify.annotations.NullMarked;
