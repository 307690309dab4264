/** What a node does, round after round. */
@NullMarked
package dev.grapevine.protocol;

import org.jspecify.annotations.NullMarked;
