/**
 * The few loops in which all the time goes. {@link dev.grapevine.engine.kernel.Kernels} is the
 * seam: a scalar implementation that runs everywhere and one on the incubating Vector API. Only
 * this package knows of vectors.
 *
 * <p>A matrix product reads its left side in place through a table of row offsets, its right side
 * from packed panels of {@link dev.grapevine.engine.kernel.Kernels#panel()} columns, and writes
 * through a second table of row offsets. Such a product carries convolutions, their gradients,
 * linear and recurrent layers. Tables are padded to whole blocks of rows by repeating the last
 * entry ({@link dev.grapevine.engine.kernel.Rows}), so that there is no row tail.
 *
 * <p>Every sum has one fixed order, so results are the same bits on any thread.
 */
@NullMarked
package dev.grapevine.engine.kernel;

import org.jspecify.annotations.NullMarked;
