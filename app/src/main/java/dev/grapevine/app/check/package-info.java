/** The command {@code grapevine check}: what is wrong with an experiment, and what it will take. */
@NullMarked
package dev.grapevine.app.check;

import org.jspecify.annotations.NullMarked;
