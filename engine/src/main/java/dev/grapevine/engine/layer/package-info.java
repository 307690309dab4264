/**
 * The pieces that models are built of. A {@link dev.grapevine.engine.layer.Layer} is an immutable
 * description (shapes, parameters, initialisation); its {@link dev.grapevine.engine.layer.Pass}
 * lives in one worker thread's workspace, owns scratch memory sized once, and computes.
 *
 * <p>Values travel between layers on {@link dev.grapevine.engine.layer.Plane}s: sample after
 * sample, row, column, channel innermost, with a margin of zeros around each image if the reader
 * wants one. A layer states the margin that it wants around its input's values ({@code
 * inputMargin}) and around its output's gradients ({@code gradientMargin}), and may be given a
 * wider one. Whoever writes a plane writes inside the margin only.
 */
@NullMarked
package dev.grapevine.engine.layer;

import org.jspecify.annotations.NullMarked;
