/**
 * The state of a run on disk. A <i>cut</i> is what all nodes remembered at the end of one round: a
 * folder {@code checkpoints/round-000200} with a file for each node and, written last, {@code
 * complete.json} with the size and checksums of each. A folder without it is no cut. Since every
 * node has a file of its own, it does not matter where nodes run when a run goes on.
 */
@NullMarked
package dev.grapevine.checkpoint;

import org.jspecify.annotations.NullMarked;
