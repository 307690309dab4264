package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.security.Authority;
import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.WorkerIdentity;
import dev.grapevine.topology.NodeSet;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CertifiedNodesTest {

  private static Control.Roster roster(byte[]... certificates) {
    List<Control.Entry> entries =
        Arrays.stream(certificates)
            .map(certificate -> new Control.Entry(0, "host", "127.0.0.1", 1, "", certificate))
            .toList();
    return new Control.Roster(
        "session", new int[] {0, 0, 1, 1}, entries, "runs", false, List.of(), false, new int[0]);
  }

  @Test
  void aWorkerHasTheNodesThatItsCertificateNames() throws Exception {
    byte[] open = WorkerIdentity.selfSigned("worker 0").certificate().getEncoded();
    byte[] right = certificate("2-3");
    byte[] wrong = certificate("0,2");

    assertThatCode(() -> CertifiedNodes.check(roster(open, right))).doesNotThrowAnyException();
    assertThatCode(() -> CertifiedNodes.check(roster(new byte[0], new byte[0])))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> CertifiedNodes.check(roster(open, wrong)))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(
            "worker 1 is given node 3, but its certificate is of worker 1 with nodes 0,2;");
    assertThatThrownBy(() -> CertifiedNodes.check(roster(open, new byte[] {1})))
        .hasMessage("the roster's certificate of worker 1 is none");
  }

  private static byte[] certificate(String nodes) throws Exception {
    return Authority.create(Duration.ofDays(1))
        .issue(new CertifiedParty(1, Optional.of(NodeSet.parse(nodes, 100))), Duration.ofDays(1))
        .certificate()
        .getEncoded();
  }
}
