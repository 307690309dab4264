/** {@code grapevine data}: what data sets there are, getting them, seeing how they are dealt. */
@NullMarked
package dev.grapevine.app.data;

import org.jspecify.annotations.NullMarked;
