/** What all commands have in common at a terminal: how figures read, and what Ctrl-C does. */
@NullMarked
package dev.grapevine.app.console;

import org.jspecify.annotations.NullMarked;
