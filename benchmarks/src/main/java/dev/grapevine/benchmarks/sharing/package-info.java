/** {@code grapevine bench sharing}: time and bytes of every sharing scheme, transform and codec. */
@NullMarked
package dev.grapevine.benchmarks.sharing;

import org.jspecify.annotations.NullMarked;
