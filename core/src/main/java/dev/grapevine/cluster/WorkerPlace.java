package dev.grapevine.cluster;

/**
 * Where a worker runs.
 *
 * @param host the name of its machine
 * @param address where the others reach it
 * @param process the number of its process
 * @param nodes the nodes it has, such as {@code 0-3, 16}
 */
public record WorkerPlace(
    int rank, String host, String address, int port, long process, String nodes) {}
