/**
 * Schemes that send a compressed difference or an error-compensated model, and work for the optimum
 * the papers promise because every node knows what the others know of it. They are made of a {@link
 * dev.grapevine.sharing.difference.Compressor} and the bookkeeping of their paper.
 *
 * <p>CHOCO-SGD, DCD-PSGD and ECD-PSGD follow their neighbours' models by replicas. A node does not
 * keep the replicas but their weighted sum, which is all that the equations ask for: two vectors a
 * node, whatever the degree. The price is that neighbours and weights must not change, and that a
 * lost message is never made up for; CHOCO-SGD has a mode with whole replicas that bears both.
 */
@NullMarked
package dev.grapevine.sharing.difference;

import org.jspecify.annotations.NullMarked;
