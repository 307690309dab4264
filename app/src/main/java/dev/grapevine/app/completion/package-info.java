/** The command {@code grapevine completion}: what shells complete at the press of a key. */
@NullMarked
package dev.grapevine.app.completion;

import org.jspecify.annotations.NullMarked;
