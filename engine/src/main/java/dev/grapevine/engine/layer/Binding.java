package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/**
 * A layer's place in a workspace.
 *
 * @param name of the layer, for messages
 * @param capacity the largest batch
 * @param input what it reads; without gradient if the layer need not compute one
 * @param output what it writes
 * @param parameterOffsets where its tensors start in the parameter and gradient vectors
 * @param statisticsOffsets where its running statistics start in {@link Step#statistics()}
 * @param kernels the loops to use
 * @param scratch memory shared by all layers of the workspace
 */
public record Binding(
    String name,
    int capacity,
    Activation input,
    Activation output,
    int[] parameterOffsets,
    int[] statisticsOffsets,
    Kernels kernels,
    Scratch scratch) {}
