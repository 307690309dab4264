/** {@code grapevine bench rounds}: what a round costs around its training, in time and memory. */
@NullMarked
package dev.grapevine.benchmarks.rounds;

import org.jspecify.annotations.NullMarked;
