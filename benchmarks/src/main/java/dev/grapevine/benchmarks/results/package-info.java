/** How long looking at many large runs takes. */
@NullMarked
package dev.grapevine.benchmarks.results;

import org.jspecify.annotations.NullMarked;
