/**
 * What a run leaves behind: the run directory, its writer, a reader that forgives a run cut off at
 * any byte, and the statistics of curves over nodes and seeds.
 *
 * <p>A run directory holds {@code experiment.toml} (the resolved experiment), {@code
 * provenance.json}, {@code topology.edges}, {@code metrics.csv}, {@code summary.json}, {@code
 * models/} and pictures. Whole files appear at once or not at all; {@code metrics.csv} only grows.
 */
@NullMarked
package dev.grapevine.results;

import org.jspecify.annotations.NullMarked;
