/** A node's learner: its parameters, its data shard, its optimizer; train and evaluate. */
@NullMarked
package dev.grapevine.learning;

import org.jspecify.annotations.NullMarked;
