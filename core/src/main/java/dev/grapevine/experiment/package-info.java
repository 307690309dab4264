/**
 * The experiment file as typed, validated records.
 *
 * <p>A file goes through three stages. It is read into raw values that know where they stand;
 * options of the command line, overrides for some nodes and the points of a sweep are laid over
 * them. Then every table is bound to its {@linkplain dev.grapevine.experiment.Sections section}:
 * kinds are looked up, keys checked, values converted and validated. Last, {@link
 * dev.grapevine.experiment.ExperimentCheck} builds what can be built without running and checks the
 * parts against each other.
 */
@NullMarked
package dev.grapevine.experiment;

import org.jspecify.annotations.NullMarked;
