/** What a message holds and how received ones are merged. */
@NullMarked
package dev.grapevine.sharing;

import org.jspecify.annotations.NullMarked;
