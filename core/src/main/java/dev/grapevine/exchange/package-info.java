/**
 * One vector mixed with the neighbours' vectors: what all protocols do to each other, in one place.
 *
 * <pre>
 * own vector ─ steps ─ encoding ─ frame ─ link ─ frame ─ decoding ─ aggregator ─ own vector
 * </pre>
 *
 * <p>An {@link dev.grapevine.exchange.Exchange} is one channel of one node. It encodes, has the
 * payloads carried, decodes what came sender by sender, and lets the aggregator combine it. A
 * payload that makes no sense concerns its sender alone: it is left out, and its weight goes to the
 * node itself.
 */
@NullMarked
package dev.grapevine.exchange;

import org.jspecify.annotations.NullMarked;
