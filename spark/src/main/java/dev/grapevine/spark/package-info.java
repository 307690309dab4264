/**
 * Apache Spark as the one who starts processes: workers as a barrier stage, in which all tasks run
 * at the same time or none does, and the runs of a sweep as ordinary tasks. A task starts a process
 * of its own and waits for it; Spark's libraries and Grapevine's never share a virtual machine on
 * the executors.
 */
@NullMarked
package dev.grapevine.spark;

import org.jspecify.annotations.NullMarked;
