/** {@code grapevine bench protocols}: changing neighbours, and epidemic learning at scale. */
@NullMarked
package dev.grapevine.benchmarks.protocols;

import org.jspecify.annotations.NullMarked;
