/** The data sets that come with Grapevine, each a kind of the family {@code data}. */
@NullMarked
package dev.grapevine.data.source;

import org.jspecify.annotations.NullMarked;
