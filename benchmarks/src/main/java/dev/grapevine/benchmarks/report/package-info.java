/** How every benchmark tells what it measured: a table for people, JSON for programs. */
@NullMarked
package dev.grapevine.benchmarks.report;

import org.jspecify.annotations.NullMarked;
