package dev.grapevine.runtime;

import dev.grapevine.learning.Learner;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.sharing.Sharing;

/**
 * What makes one node: each instance belongs to it alone.
 *
 * @param learner its model and data
 * @param sharing what it tells others and how it merges; writes into the learner's parameters
 * @param protocol what it does
 */
public record NodeSetup(Learner learner, Sharing sharing, Protocol protocol) {}
