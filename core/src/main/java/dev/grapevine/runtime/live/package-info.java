/**
 * The wall clock: every node is a virtual thread, messages travel through a transport, and a
 * watchdog ends a run in which nothing can happen any more.
 */
@NullMarked
package dev.grapevine.runtime.live;

import org.jspecify.annotations.NullMarked;
