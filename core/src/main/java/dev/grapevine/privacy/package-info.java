/**
 * What nodes keep from each other: the table {@code [privacy]}. A kind says with what it goes
 * together, and how a node's exchanges are kept secret.
 */
@NullMarked
package dev.grapevine.privacy;

import org.jspecify.annotations.NullMarked;
