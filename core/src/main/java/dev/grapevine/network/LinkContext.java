package dev.grapevine.network;

import java.nio.file.Path;

/**
 * What a link model knows of the run.
 *
 * @param nodes how many nodes there are
 * @param seed the run's seed
 * @param folder where relative file names start: the folder of the experiment file
 */
public record LinkContext(int nodes, long seed, Path folder) {}
