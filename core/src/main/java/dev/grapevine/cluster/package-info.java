/**
 * A run in many processes. A <i>worker</i> is one process that has some of the nodes; one
 * <i>coordinator</i>, in the launcher or in worker 0, lets workers join, looks whether they live,
 * gathers what they report and says when the run is over.
 *
 * <p>No round needs the coordinator: messages go directly between workers. What describes the whole
 * run (who talks to whom, who has which data, all seeds) is a pure function of the experiment, so
 * that every worker knows it by itself; on joining it proves that it has the same experiment.
 *
 * <pre>
 *   worker                      coordinator
 *   Join          ─────────────▶            versions, hashes, address
 *                 ◀─────────────  Roster    who has which nodes, where
 *     (connects to the workers before it, is connected to by those after it)
 *   Ready         ─────────────▶
 *                 ◀─────────────  Start     time 0
 *   Heartbeat, Events, Sum ────▶            each second, and as they come
 *   NodesEnded    ─────────────▶
 *                 ◀─────────────  Over      or Stop, at any time, or Gone: another was lost
 *   File, Bye     ─────────────▶
 *                 ◀─────────────  Done
 * </pre>
 */
@NullMarked
package dev.grapevine.cluster;

import org.jspecify.annotations.NullMarked;
