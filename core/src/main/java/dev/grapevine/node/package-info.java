/** The one door through which a protocol touches the world. */
@NullMarked
package dev.grapevine.node;

import org.jspecify.annotations.NullMarked;
