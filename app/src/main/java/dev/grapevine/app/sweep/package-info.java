/**
 * The command {@code grapevine sweep}. Every point of the sweep has a directory whose name follows
 * from its resolved experiment, so that what is done is found again whatever was killed, and a
 * changed sweep keeps the points that it has in common with the old one.
 */
@NullMarked
package dev.grapevine.app.sweep;

import org.jspecify.annotations.NullMarked;
