/** How one model learns. The engine knows no nodes and no network. */
@NullMarked
package dev.grapevine.engine;

import org.jspecify.annotations.NullMarked;
