package dev.grapevine.protocol;

import dev.grapevine.exchange.Senders;
import dev.grapevine.topology.Topology;

/**
 * A protocol in step on the experiment's topology: whatever a node tells of its vectors goes
 * through {@link dev.grapevine.exchange.Exchange#mix}, with the neighbours of the round.
 */
public interface InStep extends Protocol {

  @Override
  default Senders senders(Topology topology) {
    return new Senders.Planned(topology);
  }
}
