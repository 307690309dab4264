/** {@code grapevine bench data}: loading, batches, shards and streaming. */
@NullMarked
package dev.grapevine.benchmarks.data;

import org.jspecify.annotations.NullMarked;
