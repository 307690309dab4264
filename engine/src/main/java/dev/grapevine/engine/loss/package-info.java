/** Losses, equal to PyTorch's with mean reduction. */
@NullMarked
package dev.grapevine.engine.loss;

import org.jspecify.annotations.NullMarked;
