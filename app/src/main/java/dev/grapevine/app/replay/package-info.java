/** The command {@code grapevine replay}: runs a recorded experiment again and compares. */
@NullMarked
package dev.grapevine.app.replay;

import org.jspecify.annotations.NullMarked;
