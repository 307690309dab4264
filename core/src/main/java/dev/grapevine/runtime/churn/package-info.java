/**
 * Nodes that go down and come back. One idea: a node has a {@linkplain
 * dev.grapevine.runtime.churn.Churn schedule} of {@linkplain dev.grapevine.runtime.churn.Absence
 * absences}, and each says what the node comes back with. Joining late is an absence from the very
 * beginning, leaving for good one without an end. Where schedules come from is one class each: a
 * list, rates, a CSV file, a trace of FedScale's.
 */
@NullMarked
package dev.grapevine.runtime.churn;

import org.jspecify.annotations.NullMarked;
