/** Clocks, memory and fresh JVMs. */
@NullMarked
package dev.grapevine.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
