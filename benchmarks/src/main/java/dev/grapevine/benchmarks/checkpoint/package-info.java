/** What saving a run costs. */
@NullMarked
package dev.grapevine.benchmarks.checkpoint;

import org.jspecify.annotations.NullMarked;
