/**
 * Codecs for runs of floats: lossless ones, shorter float formats, quantizers and general-purpose
 * compressors. Each states its error bound; the layouts are told in {@code docs/compression.md}.
 */
@NullMarked
package dev.grapevine.compression.values;

import org.jspecify.annotations.NullMarked;
