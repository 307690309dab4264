/** What every part of the framework shares. */
@NullMarked
package dev.grapevine;

import org.jspecify.annotations.NullMarked;
