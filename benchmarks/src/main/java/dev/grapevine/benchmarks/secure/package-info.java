/** {@code grapevine bench secure}: what secure aggregation costs beside training. */
@NullMarked
package dev.grapevine.benchmarks.secure;

import org.jspecify.annotations.NullMarked;
