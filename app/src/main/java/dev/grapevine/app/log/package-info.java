/** The log of a run: what happened when, a line each, for the day on which something went wrong. */
@NullMarked
package dev.grapevine.app.log;

import org.jspecify.annotations.NullMarked;
