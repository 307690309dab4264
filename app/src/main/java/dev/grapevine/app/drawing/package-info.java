/**
 * Sheets to draw on, as pixels, SVG or PDF. All of them use the same typeface, so that a picture
 * has the same layout in every format and on every machine, and text stays text.
 */
@NullMarked
package dev.grapevine.app.drawing;

import org.jspecify.annotations.NullMarked;
