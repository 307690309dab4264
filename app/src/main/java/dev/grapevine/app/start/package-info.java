/** Getting under way quickly: what the launcher runs once after a build. */
@NullMarked
package dev.grapevine.app.start;

import org.jspecify.annotations.NullMarked;
