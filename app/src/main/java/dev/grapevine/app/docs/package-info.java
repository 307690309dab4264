/** The command {@code grapevine docs}: the classes that own code uses, as pages. */
@NullMarked
package dev.grapevine.app.docs;

import org.jspecify.annotations.NullMarked;
