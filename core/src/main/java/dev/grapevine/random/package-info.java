/**
 * All random numbers of a run: streams split from one seed by node and purpose, and generators
 * whose state can be read and put back, so that a run can go on where it stopped. Knows nothing
 * above it.
 */
@NullMarked
package dev.grapevine.random;

import org.jspecify.annotations.NullMarked;
