/**
 * The command {@code grapevine report}: runs as one HTML page that needs no network. The page is
 * drawn in the browser from one JSON value (see {@link dev.grapevine.app.report.PageData}); {@code
 * grapevine watch} shows the same page while a run goes.
 */
@NullMarked
package dev.grapevine.app.report;

import org.jspecify.annotations.NullMarked;
