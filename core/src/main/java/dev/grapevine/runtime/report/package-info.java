/**
 * What a run tells of itself while it goes: {@link dev.grapevine.runtime.report.Observer} hears how
 * far each node has got, what it has sent and how its time was spent, and how it ended. The mean of
 * all models is collected here too, since no node waits for it.
 */
@NullMarked
package dev.grapevine.runtime.report;

import org.jspecify.annotations.NullMarked;
