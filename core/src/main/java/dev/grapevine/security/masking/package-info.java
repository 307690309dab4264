/**
 * What masks are made of: keys that two nodes agree on, streams of masks from them, secrets cut
 * into shares, and numbers that add up exactly.
 *
 * <p>From the bottom: a {@link dev.grapevine.security.masking.Session} is drawn anew whenever a run
 * starts. In it every node has one {@link dev.grapevine.security.masking.AgreementKey}; the public
 * halves stand in the {@link dev.grapevine.security.masking.Roster}. Two nodes make {@link
 * dev.grapevine.security.masking.PairKeys} of theirs, from which comes a seed for each receiver,
 * round and channel, and from the seed a {@link dev.grapevine.security.masking.MaskStream}. Knows
 * nothing of nodes, rounds or messages beyond their numbers.
 */
@NullMarked
package dev.grapevine.security.masking;

import org.jspecify.annotations.NullMarked;
