package dev.grapevine.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * A process for an executor to start.
 *
 * @param task its number
 * @param directory where it runs
 * @param input what it gets on its standard input
 */
record TaskStart(
    int task, List<String> command, Map<String, String> environment, String directory, byte[] input)
    implements Serializable {}
