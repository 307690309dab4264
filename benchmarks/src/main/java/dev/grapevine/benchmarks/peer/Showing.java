package dev.grapevine.benchmarks.peer;

/**
 * How one of them did.
 *
 * @param roundsPerSecond from the end of the first round on
 * @param firstRound seconds from the start of the process to the end of the first round
 * @param megabytes (2^20 bytes) resident at most, of all processes together
 * @param bytes sent by a node in a round
 */
record Showing(double roundsPerSecond, double firstRound, double megabytes, double bytes) {}
