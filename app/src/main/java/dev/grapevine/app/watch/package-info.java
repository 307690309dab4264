/**
 * The command {@code grapevine watch} and the page of {@code run --watch}. The page follows what
 * the run writes to its directory, so that it makes no difference which process runs it: every
 * browser reads the metrics from their beginning and then hears of new ones by server-sent events.
 */
@NullMarked
package dev.grapevine.app.watch;

import org.jspecify.annotations.NullMarked;
