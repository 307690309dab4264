package dev.grapevine.topology;

import java.nio.file.Path;

/**
 * What a topology is built for.
 *
 * @param nodes how many nodes take part
 * @param seed the experiment's seed; equal seeds give equal graphs
 * @param baseDir where relative paths of graph files start: the experiment file's directory
 */
public record TopologyContext(int nodes, long seed, Path baseDir) {}
