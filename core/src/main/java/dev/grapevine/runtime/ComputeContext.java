package dev.grapevine.runtime;

import java.nio.file.Path;

/**
 * What a compute model knows of the run.
 *
 * @param nodes how many nodes there are
 * @param seed the run's seed
 * @param folder where relative file names start: the folder of the experiment file
 */
public record ComputeContext(int nodes, long seed, Path folder) {}
