/**
 * Whatever goes wrong, a run ends and says why: a matrix of protocol, fault, clock and policy, and
 * simulations of random faults by seed.
 */
@NullMarked
package dev.grapevine.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
