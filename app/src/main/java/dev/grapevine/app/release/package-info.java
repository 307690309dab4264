/** The command {@code grapevine dist}: everything in one file, for machines with only a JDK. */
@NullMarked
package dev.grapevine.app.release;

import org.jspecify.annotations.NullMarked;
