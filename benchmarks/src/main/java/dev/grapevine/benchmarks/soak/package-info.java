/** A long run over real sockets whose nodes crash and come back. */
@NullMarked
package dev.grapevine.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
