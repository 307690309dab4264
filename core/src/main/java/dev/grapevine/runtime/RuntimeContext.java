package dev.grapevine.runtime;

import dev.grapevine.network.NetworkSettings;
import java.nio.file.Path;

/**
 * What a runtime is given besides its settings.
 *
 * @param network the table {@code [network]}
 * @param folder where relative file names start: the folder of the experiment file
 */
public record RuntimeContext(NetworkSettings network, Path folder) {}
