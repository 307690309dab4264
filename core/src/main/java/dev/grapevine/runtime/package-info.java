/**
 * Runs nodes on a wall clock or on a virtual one; a protocol cannot tell the difference. Here is
 * what both clocks share: the {@link dev.grapevine.runtime.Plan} of a run, a node and its mailbox,
 * and how runs end. The clocks are {@code runtime.live} and {@code runtime.simulated}; the work
 * itself, what goes wrong and what is told of it are {@code runtime.compute}, {@code runtime.fault}
 * and {@code runtime.report}.
 *
 * <p>Every node is a virtual thread that mostly waits. Training, evaluation, encoding and merging
 * run on a pool of platform threads, one a core, while the node's thread is parked.
 */
@NullMarked
package dev.grapevine.runtime;

import org.jspecify.annotations.NullMarked;
