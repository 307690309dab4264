/** What it costs to run the nodes of an experiment in many processes. */
@NullMarked
package dev.grapevine.benchmarks.workers;

import org.jspecify.annotations.NullMarked;
