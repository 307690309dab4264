/** Runs in many processes: {@code launch} starts and coordinates workers, {@code worker} is one. */
@NullMarked
package dev.grapevine.app.cluster;

import org.jspecify.annotations.NullMarked;
