/**
 * The command {@code grapevine try}: puts an own part through what every part promises, by small
 * runs of whole experiments, and says which promises it keeps.
 */
@NullMarked
package dev.grapevine.app.trial;

import org.jspecify.annotations.NullMarked;
