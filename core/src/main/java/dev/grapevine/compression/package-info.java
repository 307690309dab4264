/** Codecs for index lists and float vectors, and the transforms that make vectors compressible. */
@NullMarked
package dev.grapevine.compression;

import org.jspecify.annotations.NullMarked;
