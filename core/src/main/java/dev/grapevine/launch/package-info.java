/**
 * From an experiment to its results: puts the parts together, runs them and records what happens.
 * This is the library's front door; the commands use nothing else.
 *
 * <pre>{@code
 * Experiment experiment = Experiment.read(Path.of("examples/quickstart.toml")).with("rounds", "20");
 * RunResult result = Run.of(experiment).into(Path.of("runs/mine")).start();
 * System.out.println(result.summary().testAccuracy().mean());
 * }</pre>
 */
@NullMarked
package dev.grapevine.launch;

import org.jspecify.annotations.NullMarked;
