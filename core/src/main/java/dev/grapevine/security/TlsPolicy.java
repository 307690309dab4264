package dev.grapevine.security;

import java.net.InetAddress;

/** When connections are encrypted. */
public enum TlsPolicy {
  /** Always, also within one machine. */
  ALWAYS,
  /** Whenever the other end is not on this machine's loopback interface. */
  AUTO,
  /** Never; beyond loopback only for those who say that they want it so. */
  NEVER;

  /**
   * Whether a connection is to be encrypted.
   *
   * @param insecure whether the user has allowed unprotected connections between machines
   * @throws RefusedException when it would have to be and must not
   */
  boolean encrypts(InetAddress peer, boolean insecure) throws RefusedException {
    if (this == ALWAYS || peer.isLoopbackAddress()) {
      return this == ALWAYS;
    }
    if (this == NEVER && !insecure) {
      throw new RefusedException(
          "%s is not on this machine, and --tls never would send models there unprotected; leave it"
                  .formatted(peer.getHostAddress())
              + " out, or say --insecure too");
    }
    return this == AUTO;
  }
}
