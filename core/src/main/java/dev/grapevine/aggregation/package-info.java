/**
 * How what was heard is combined with a node's own: the weighted mean, which streams, and rules
 * that bear neighbours that lie. An {@link dev.grapevine.aggregation.Update} is what one sender's
 * message stands for; the rule never sees bytes.
 */
@NullMarked
package dev.grapevine.aggregation;

import org.jspecify.annotations.NullMarked;
