/** Side-by-side measurements; every figure is a ratio taken within one run. */
@NullMarked
package dev.grapevine.benchmarks;

import org.jspecify.annotations.NullMarked;
