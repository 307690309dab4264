/** The {@code compare} command: runs side by side in a table. */
@NullMarked
package dev.grapevine.app.compare;

import org.jspecify.annotations.NullMarked;
