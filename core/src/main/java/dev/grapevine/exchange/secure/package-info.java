/**
 * Sums that show nobody's part: each node is the server of its own neighbourhood, and those who
 * send to it mask what they send with masks that cancel in the sum (Bonawitz et al., Practical
 * Secure Aggregation, CCS 2017; without set-up in a round as in Flamingo, S&amp;P 2023; each with
 * some partners only as in Bell et al., CCS 2020).
 *
 * <pre>
 * i to r   MASKED   hash of the set | q + PRG(b) ± PRG(s_ik) for each partner k | sealed shares of b
 * r to h   UNMASK   who came | the shares sealed for h
 * h to r   REVEAL   own b | opened shares | seeds shared with those who did not come
 * </pre>
 *
 * <p>Where a loss ends the run anyway there is nothing to recover: masks are single (no b) and
 * there is no further message. A node tells a receiver about one set of survivors a round, so that
 * of each sender either the own mask or the pair masks become known, never both.
 */
@NullMarked
package dev.grapevine.exchange.secure;

import org.jspecify.annotations.NullMarked;
