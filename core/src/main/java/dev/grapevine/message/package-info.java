/** What travels between nodes: payloads, encoded once, and the messages that carry them. */
@NullMarked
package dev.grapevine.message;

import org.jspecify.annotations.NullMarked;
