/**
 * What goes wrong, by chance or on purpose: what a node does about a missing neighbour, faults that
 * an experiment injects, and nodes that come and go.
 */
@NullMarked
package dev.grapevine.runtime.fault;

import org.jspecify.annotations.NullMarked;
