/** {@code grapevine bench fidelity}: how well a simulated run foretells a live one. */
@NullMarked
package dev.grapevine.benchmarks.fidelity;

import org.jspecify.annotations.NullMarked;
