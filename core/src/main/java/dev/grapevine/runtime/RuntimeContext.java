package dev.grapevine.runtime;

import dev.grapevine.network.NetworkSettings;
import java.util.Optional;

/**
 * What a runtime is given besides its settings.
 *
 * @param network the table {@code [network]}
 * @param company the other processes of the run, if it has any
 */
public record RuntimeContext(NetworkSettings network, Optional<Company> company) {

  /** For a run in one process. */
  public RuntimeContext(NetworkSettings network) {
    this(network, Optional.empty());
  }
}
