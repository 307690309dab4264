/**
 * Working arrays for the length of one call, lent instead of allocated. A thousand nodes run on a
 * few cores, so a few sets of arrays serve them all: neither each node nor each (virtual) thread
 * keeps its own. Knows nothing above it.
 */
@NullMarked
package dev.grapevine.scratch;

import org.jspecify.annotations.NullMarked;
