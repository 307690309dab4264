package dev.grapevine.benchmarks;

/**
 * A picocli-annotated command below {@code grapevine bench}. Found by {@link
 * java.util.ServiceLoader}. Every one prints a table, and with {@code --json} one JSON object of
 * the same figures.
 */
public interface Benchmark {}
