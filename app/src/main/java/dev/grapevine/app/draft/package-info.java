/** The command {@code grapevine new}: a first experiment file, to be changed by hand. */
@NullMarked
package dev.grapevine.app.draft;

import org.jspecify.annotations.NullMarked;
