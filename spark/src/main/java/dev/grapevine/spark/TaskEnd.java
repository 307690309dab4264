package dev.grapevine.spark;

import java.io.Serializable;

/**
 * How a process has ended.
 *
 * @param task the number of its task
 * @param host where it ran
 * @param lastWords the last line that it printed
 */
record TaskEnd(int task, String host, int exitCode, String lastWords) implements Serializable {}
