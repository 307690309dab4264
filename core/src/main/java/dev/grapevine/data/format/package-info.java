/**
 * Readers of the file formats that data sets come in. Each says which file, where in it, and what
 * is wrong.
 */
@NullMarked
package dev.grapevine.data.format;

import org.jspecify.annotations.NullMarked;
