package dev.grapevine.exchange;

import dev.grapevine.message.Payload;

/**
 * What one peer brought to a round.
 *
 * @param sender the peer
 * @param weight how much it counts in the mix
 * @param payload what it sent
 */
public record Contribution(int sender, double weight, Payload payload) {}
