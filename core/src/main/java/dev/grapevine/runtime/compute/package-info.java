/**
 * Where the real work is done, and how long it takes on the virtual clock: a pool of platform
 * threads with one piece of work each, and models of a node's speed.
 */
@NullMarked
package dev.grapevine.runtime.compute;

import org.jspecify.annotations.NullMarked;
