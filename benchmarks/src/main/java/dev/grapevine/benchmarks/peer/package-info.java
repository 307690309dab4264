/**
 * Whole rounds, start and memory of the set-up in DecentralizePy's tutorial, alone or in turns with
 * the original.
 */
@NullMarked
package dev.grapevine.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
