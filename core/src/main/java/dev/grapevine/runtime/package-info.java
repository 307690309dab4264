/**
 * Runs nodes on a wall clock or on a virtual one; a protocol cannot tell the difference. Here is
 * what both clocks share: the {@link dev.grapevine.runtime.Plan} of a run, a node and its mailbox,
 * who is up and who comes back, and how runs end. The clocks are {@code runtime.live} and {@code
 * runtime.simulated}; the work itself, what goes wrong and what is told of it are {@code
 * runtime.compute}, {@code runtime.fault} and {@code runtime.report}.
 *
 * <p>A node may go down and come back. {@link dev.grapevine.runtime.Lives} keeps account of all
 * nodes, with one {@link dev.grapevine.runtime.LifeCourse} each; {@link
 * dev.grapevine.runtime.Hearsay} adds what other processes tell of theirs, and {@link
 * dev.grapevine.runtime.EntryRounds} finds the round in which one enters that comes back.
 *
 * <p>Every node is a virtual thread that mostly waits. Training, evaluation, encoding and merging
 * run on a pool of platform threads, one a core, while the node's thread is parked.
 */
@NullMarked
package dev.grapevine.runtime;

import org.jspecify.annotations.NullMarked;
