/**
 * How a pluggable thing declares its name, its settings and their documentation; the registry that
 * finds it.
 */
@NullMarked
package dev.grapevine.settings;

import org.jspecify.annotations.NullMarked;
