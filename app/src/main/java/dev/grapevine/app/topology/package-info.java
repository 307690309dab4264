/** The {@code topology} command: facts and pictures of graphs. */
@NullMarked
package dev.grapevine.app.topology;

import org.jspecify.annotations.NullMarked;
