/**
 * Texts for engines that people already have: a batch file for Slurm, an indexed job for
 * Kubernetes. They start nothing; {@code launch --dry-run} prints them.
 */
@NullMarked
package dev.grapevine.app.deploy;

import org.jspecify.annotations.NullMarked;
