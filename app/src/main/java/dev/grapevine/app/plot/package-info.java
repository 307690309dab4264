/** Figures: curves of runs as PNG and SVG, each with its data as CSV beside it. */
@NullMarked
package dev.grapevine.app.plot;

import org.jspecify.annotations.NullMarked;
