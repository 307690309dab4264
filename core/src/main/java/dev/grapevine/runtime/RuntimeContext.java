package dev.grapevine.runtime;

import dev.grapevine.network.NetworkSettings;

/**
 * What a runtime is given besides its settings.
 *
 * @param network the table {@code [network]}
 */
public record RuntimeContext(NetworkSettings network) {}
