package dev.grapevine.security;

import dev.grapevine.topology.NodeSet;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Whom an authority's certificate names, by URIs in the subject's alternative name: {@code
 * urn:grapevine:worker:3} and {@code urn:grapevine:nodes:12-15}, or {@code urn:grapevine:launcher}.
 *
 * @param number the worker's number, or {@link Greeting#COORDINATOR}
 * @param nodes the nodes it may speak for; empty if that is left open
 */
public record CertifiedParty(int number, Optional<NodeSet> nodes) {

  private static final String WORKER = "urn:grapevine:worker:";
  private static final String NODES = "urn:grapevine:nodes:";
  private static final String LAUNCHER = "urn:grapevine:launcher";
  private static final int URI_NAME = 6;

  /** The names to write into a certificate. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    names.add(number == Greeting.COORDINATOR ? LAUNCHER : WORKER + number);
    nodes.ifPresent(some -> names.add(NODES + some));
    return names;
  }

  /** Whom a certificate names; empty if it names nobody of ours. */
  public static Optional<CertifiedParty> of(X509Certificate certificate) {
    Integer number = null;
    Optional<NodeSet> nodes = Optional.empty();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      for (List<?> name : names == null ? List.<List<?>>of() : names) {
        if (name.get(0) instanceof Integer type
            && type == URI_NAME
            && name.get(1) instanceof String uri) {
          if (uri.equals(LAUNCHER)) {
            number = Greeting.COORDINATOR;
          } else if (uri.startsWith(WORKER)) {
            number = Integer.parseUnsignedInt(uri.substring(WORKER.length()));
          } else if (uri.startsWith(NODES)) {
            nodes = Optional.of(NodeSet.parse(uri.substring(NODES.length()), NodeSet.MOST));
          }
        }
      }
    } catch (CertificateParsingException | IllegalArgumentException e) {
      return Optional.empty();
    }
    return number == null ? Optional.empty() : Optional.of(new CertifiedParty(number, nodes));
  }

  @Override
  public String toString() {
    String who = Greeting.party(number);
    return nodes.map(some -> who + " with nodes " + some).orElse(who);
  }
}
