package dev.grapevine.security;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** A connection that came in, from one who has proved who it is, and still has to be let in. */
public final class Arrival {

  private final Greeting greeting;
  private final LinkChannel channel;
  private final Hello hello;

  Arrival(Greeting greeting, LinkChannel channel, Hello hello) {
    this.greeting = greeting;
    this.channel = channel;
    this.hello = hello;
  }

  /** Who it is and whom it wants to talk to. */
  public Greeting greeting() {
    return greeting;
  }

  /** The connection; nothing may be written before {@link #welcome}. */
  public LinkChannel channel() {
    return channel;
  }

  /** The certificate that it showed; empty on a connection that is not encrypted. */
  public Optional<X509Certificate> certificate() {
    return channel.peerCertificate();
  }

  /** Lets it in: it may begin to send at once. */
  public void welcome() throws IOException {
    hello.welcome();
  }

  /** Turns it away with a reason in one sentence, which it is told. */
  public void refuse(String reason) throws IOException {
    hello.refuse(reason);
    Deadline.close(channel.socket(), LinkSecurity.FAREWELL);
  }
}
