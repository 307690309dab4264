/**
 * {@code grapevine bench engine}: training and inference speed of single models, interleaved with
 * the same steps in PyTorch. One-thread figures count the thread's own processor time, so that
 * other work on the machine blurs them little.
 */
@NullMarked
package dev.grapevine.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
