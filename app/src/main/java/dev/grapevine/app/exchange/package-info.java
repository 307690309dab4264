/** Coming from and going to DecentralizePy: its configurations in, its result files out. */
@NullMarked
package dev.grapevine.app.exchange;

import org.jspecify.annotations.NullMarked;
