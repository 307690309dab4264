/**
 * Codecs for strictly rising index lists. Each starts with the number of indices as four bytes;
 * what follows is told in {@code docs/compression.md}.
 */
@NullMarked
package dev.grapevine.compression.index;

import org.jspecify.annotations.NullMarked;
