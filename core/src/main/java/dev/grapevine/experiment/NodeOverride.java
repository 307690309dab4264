package dev.grapevine.experiment;

import dev.grapevine.settings.RawValue;
import dev.grapevine.topology.NodeSet;

/**
 * What {@code [[override]]} changes for some nodes.
 *
 * @param nodes whom it holds for
 * @param changes the keys it sets, table by table
 */
public record NodeOverride(NodeSet nodes, RawValue.Table changes) {}
