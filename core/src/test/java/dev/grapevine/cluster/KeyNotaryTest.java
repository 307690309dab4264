package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.security.Authority;
import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.WorkerIdentity;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Keys that come through the coordinator are those that the workers have signed. */
final class KeyNotaryTest {

  private static final int[] WORKER_OF = {0, 1, 0, 1};

  private static SortedMap<Integer, byte[]> keys(int... nodes) {
    SortedMap<Integer, byte[]> keys = new TreeMap<>();
    for (int node : nodes) {
      byte[] key = new byte[32];
      Arrays.fill(key, (byte) (node + 1));
      keys.put(node, key);
    }
    return keys;
  }

  private static Control.Roster roster(String session, List<WorkerIdentity> identities)
      throws CertificateEncodingException {
    List<Control.Entry> entries = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      byte[] shown =
          identities.isEmpty() ? new byte[0] : identities.get(rank).certificate().getEncoded();
      entries.add(new Control.Entry(0, "host", "127.0.0.1", 1, "", shown));
    }
    return new Control.Roster(
        session, WORKER_OF, entries, "runs", false, List.of(), false, new int[0]);
  }

  private static List<WorkerIdentity> selfSigned() {
    return List.of(WorkerIdentity.selfSigned("worker 0"), WorkerIdentity.selfSigned("worker 1"));
  }

  private static WorkerIdentity issued(Authority by, int rank) {
    return by.issue(new CertifiedParty(rank, Optional.empty()), Duration.ofDays(1));
  }

  private static Control.AllKeys told(Control.Roster roster, List<WorkerIdentity> identities) {
    return new Control.AllKeys(
        List.of(
            new KeyNotary(roster, Optional.of(identities.get(0))).sign(keys(0, 2)),
            new KeyNotary(roster, Optional.of(identities.get(1))).sign(keys(1, 3))));
  }

  private static void refused(KeyNotary reader, Control.AllKeys all, String why) {
    assertThatThrownBy(() -> reader.read(all))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(why);
  }

  @Test
  void signedKeysGetAround() throws Exception {
    List<WorkerIdentity> identities = selfSigned();
    Control.Roster roster = roster("one", identities);
    SortedMap<Integer, byte[]> all =
        new KeyNotary(roster, Optional.of(identities.get(0))).read(told(roster, identities));
    assertThat(all.keySet()).containsExactly(0, 1, 2, 3);
    all.forEach((node, key) -> assertThat(key).isEqualTo(keys(node).get(node)));
  }

  @Test
  void nothingButPublicKeysAndASignatureTravels() throws Exception {
    List<WorkerIdentity> identities = selfSigned();
    Control.Keys told =
        new KeyNotary(roster("one", identities), Optional.of(identities.get(0))).sign(keys(0, 2));
    byte[] both = Arrays.copyOf(keys(0).get(0), 64);
    System.arraycopy(keys(2).get(2), 0, both, 32, 32);
    assertThat(told.keys()).isEqualTo(both);
    assertThat(told.signature().length).isBetween(64, 72);
  }

  @Test
  void otherKeysInTheirPlaceAreNoticed() throws Exception {
    List<WorkerIdentity> identities = selfSigned();
    Control.Roster roster = roster("one", identities);
    KeyNotary reader = new KeyNotary(roster, Optional.of(identities.get(0)));
    Control.AllKeys all = told(roster, identities);
    Control.Keys first = all.workers().get(0);
    Control.Keys second = all.workers().get(1);
    for (int bit = 0; bit < 8 * 64; bit += 37) {
      byte[] other = second.keys().clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      refused(
          reader,
          new Control.AllKeys(List.of(first, new Control.Keys(other, second.signature()))),
          "the keys of worker 1's nodes are not believed: its certificate has not signed them");
    }
    byte[] swapped = Arrays.copyOf(Arrays.copyOfRange(second.keys(), 32, 64), 64);
    System.arraycopy(second.keys(), 0, swapped, 32, 32);
    refused(
        reader,
        new Control.AllKeys(List.of(first, new Control.Keys(swapped, second.signature()))),
        "has not signed them");
    refused(
        reader,
        new Control.AllKeys(List.of(first, new Control.Keys(second.keys(), new byte[0]))),
        "has not signed them");
    refused(
        reader,
        new Control.AllKeys(List.of(first, new Control.Keys(new byte[32], second.signature()))),
        "worker 1 has 2 nodes, but its keys have 32 bytes");
    refused(reader, new Control.AllKeys(List.of(first)), "there are keys of 1 workers");
  }

  @Test
  void keysOfAnotherSessionAreRefused() throws Exception {
    List<WorkerIdentity> identities = selfSigned();
    Control.AllKeys before = told(roster("before", identities), identities);
    KeyNotary now = new KeyNotary(roster("now", identities), Optional.of(identities.get(0)));
    refused(now, before, "the keys of worker 0's nodes are not believed");
  }

  /** The coordinator makes a certificate of its own, and signs its own key with it. */
  @Test
  void whereAnAuthorityVouchesNobodyElseCan() throws Exception {
    Authority authority = Authority.create(Duration.ofDays(1));
    WorkerIdentity zero = issued(authority, 0);
    WorkerIdentity one = issued(authority, 1);
    Control.Roster right = roster("one", List.of(zero, one));
    assertThat(new KeyNotary(right, Optional.of(zero)).read(told(right, List.of(zero, one))))
        .hasSize(4);
    for (WorkerIdentity liar :
        List.of(
            WorkerIdentity.selfSigned("worker 1"),
            issued(Authority.create(Duration.ofDays(1)), 1),
            zero)) {
      List<WorkerIdentity> shown = List.of(zero, liar);
      Control.Roster wrong = roster("one", shown);
      refused(
          new KeyNotary(wrong, Optional.of(zero)),
          told(wrong, shown),
          "the keys of worker 1's nodes are not believed: its certificate is");
    }
  }

  @Test
  void withoutIdentitiesNothingIsSigned() throws Exception {
    Control.Roster roster = roster("one", List.of());
    KeyNotary notary = new KeyNotary(roster, Optional.empty());
    Control.Keys first = notary.sign(keys(0, 2));
    assertThat(first.signature()).isEmpty();
    assertThat(notary.read(new Control.AllKeys(List.of(first, notary.sign(keys(1, 3))))))
        .hasSize(4);
    // One who has an identity believes nobody who has none.
    refused(
        new KeyNotary(roster, Optional.of(WorkerIdentity.selfSigned("worker 0"))),
        new Control.AllKeys(List.of(first, notary.sign(keys(1, 3)))),
        "what should be a certificate is none");
  }
}
