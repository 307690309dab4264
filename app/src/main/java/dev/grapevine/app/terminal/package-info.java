/** What the terminal is asked for and cannot be asked through the Java platform's own classes. */
@NullMarked
package dev.grapevine.app.terminal;

import org.jspecify.annotations.NullMarked;
