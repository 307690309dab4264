/**
 * How messages get from node to node: frames, transports in memory and over TCP, and the models
 * that tell the simulated runtime how long a message takes.
 */
@NullMarked
package dev.grapevine.network;

import org.jspecify.annotations.NullMarked;
