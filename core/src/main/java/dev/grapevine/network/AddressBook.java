package dev.grapevine.network;

import java.net.InetSocketAddress;

/** Where each node can be reached; several nodes may live at one address. */
@FunctionalInterface
public interface AddressBook {

  InetSocketAddress addressOf(int node);
}
