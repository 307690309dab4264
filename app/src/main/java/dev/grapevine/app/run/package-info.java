/** The command {@code grapevine run}: progress while it goes, a summary at its end. */
@NullMarked
package dev.grapevine.app.run;

import org.jspecify.annotations.NullMarked;
