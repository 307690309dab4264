package dev.grapevine.exchange;

/** How one node keeps what it says from those who hear it: made before the node runs. */
@FunctionalInterface
public interface Secrecy {

  /** Begins; called once, before the node's first exchange. */
  SecretSum at(Desk desk);
}
