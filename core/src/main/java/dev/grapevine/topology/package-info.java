/** Who talks to whom at round t: generators, files, mixing weights, spectral facts. */
@NullMarked
package dev.grapevine.topology;

import org.jspecify.annotations.NullMarked;
