/** {@code grapevine identity}: keys and certificates of workers, for those who want their own. */
@NullMarked
package dev.grapevine.app.identity;

import org.jspecify.annotations.NullMarked;
