package dev.grapevine.exchange.secure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Desk;
import dev.grapevine.exchange.Received;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.AgreementKey;
import dev.grapevine.security.masking.FixedPoint;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.Roster;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import dev.grapevine.topology.Neighbourhood;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every byte of a neighbourhood's round, as a script in another language has it. */
class NeighbourhoodFixtureTest {

  private static final int[] SENDERS = {1, 4, 6};
  private static final int RECEIVER = 9;
  private static final int ROUND = 7;
  private static final int CHANNEL = 2;

  private final Map<String, String> fixture = new HashMap<>();
  private final Map<Integer, MaskedSums> nodes = new HashMap<>();
  private final Map<String, Desk.Handler> handlers = new HashMap<>();
  private final Map<Integer, Payload> reveals = new HashMap<>();
  private final Neighbourhood receiver =
      new Neighbourhood(RECEIVER, new int[0], SENDERS, new double[] {0.25, 0.125, 0.3}, 0.325);

  @BeforeEach
  void read() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("neighbourhood.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).split("\n")) {
        // A name, the nodes it is about, then the value.
        String[] words = line.split(" ");
        int names = words[0].equals("reveal") ? 3 : 2;
        fixture.put(
            String.join(" ", Arrays.copyOf(words, names)),
            String.join(" ", Arrays.copyOfRange(words, names, words.length)));
      }
    }
    byte[] session = new byte[Session.BYTES];
    for (int i = 0; i < session.length; i++) {
      session[i] = (byte) (100 + i);
    }
    Rules rules = new Rules(Session.of(session), 2, new FixedPoint(32, 64), 16, true, 0, 0);
    List<byte[]> shown = new ArrayList<>();
    for (int node = 0; node <= RECEIVER; node++) {
      String key = fixture.get("public " + node);
      shown.add(key == null ? new byte[32] : hex(key));
    }
    Roster roster = new Roster(rules.session(), shown);
    for (int node : new int[] {1, 4, 6, RECEIVER}) {
      String secret = fixture.getOrDefault("secret " + node, "11".repeat(32));
      String drawn = fixture.getOrDefault("secrets " + node, "");
      int[] used = {0};
      Secrets secrets =
          into -> {
            System.arraycopy(hex(drawn), used[0], into, 0, into.length);
            used[0] += into.length;
          };
      KeyRing ring = new KeyRing(node, AgreementKey.of(hex(secret)), roster);
      nodes.put(node, new MaskedSums(new Bench(node), rules, new RealMasks(node, ring, secrets)));
    }
  }

  @Test
  void publicKeysAreThoseOfTheScript() {
    for (int node : SENDERS) {
      assertThat(AgreementKey.of(hex(fixture.get("secret " + node))).publicKey())
          .isEqualTo(hex(fixture.get("public " + node)));
    }
  }

  @Test
  void masksSharesAnswersAndMeansAreThoseOfTheScript() throws InterruptedException {
    check("1+4+6", 1, 4, 6);
  }

  @Test
  void theSameWithASenderThatNeverSent() throws InterruptedException {
    check("1+6", 1, 6);
  }

  private void check(String name, int... came) throws InterruptedException {
    List<Contribution> heard = new ArrayList<>();
    for (int node : SENDERS) {
      Payload masked = say(node);
      assertThat(bytes(masked)).as("masked %d", node).isEqualTo(hex(fixture.get("masked " + node)));
      if (Arrays.stream(came).anyMatch(each -> each == node)) {
        heard.add(new Contribution(node, 0, masked));
      }
    }
    Optional<SecretSum.Sum> sum =
        nodes.get(RECEIVER).open(CHANNEL, receiver, new Received(ROUND, 0, heard), 6);
    for (int node : came) {
      assertThat(bytes(reveals.get(node)))
          .as("reveal %d", node)
          .isEqualTo(hex(fixture.get("reveal %s %d".formatted(name, node))));
    }
    assertThat(sum.orElseThrow().mean()).containsExactly(floats(fixture.get("mean " + name)));
  }

  private Payload say(int node) {
    float[] values = floats(fixture.get("values " + node));
    try (Scratch scratch = new Scratch()) {
      return nodes
          .get(node)
          .mask(
              CHANNEL,
              ROUND,
              Neighbourhood.sendingTo(node, RECEIVER),
              peer -> receiver,
              values,
              values.length,
              scratch)
          .outgoing()
          .to(RECEIVER);
    }
  }

  private static byte[] bytes(Payload payload) {
    byte[] bytes = new byte[payload.size()];
    payload.buffer().get(bytes);
    return bytes;
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static float[] floats(String text) {
    String[] words = text.split(" ");
    float[] values = new float[words.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(words[i]);
    }
    return values;
  }

  /** Answers come at once. */
  private final class Bench implements Desk {
    private final int node;

    Bench(int node) {
      this.node = node;
    }

    @Override
    public int node() {
      return node;
    }

    @Override
    public void send(int peer, int tag, int round, Payload payload) throws InterruptedException {
      if (tag == MaskedSums.REVEAL) {
        reveals.put(node, payload);
      }
      handlers.get(peer + " " + tag).handle(new Message(node, tag, round, payload));
    }

    @Override
    public void onMessage(int tag, Handler handler) {
      handlers.put(node + " " + tag, handler);
    }

    @Override
    public boolean await(BooleanSupplier condition, int patience) {
      return condition.getAsBoolean();
    }

    @Override
    public boolean isGone(int peer) {
      return false;
    }

    @Override
    public void share(Consumer<Scratch> work) {
      try (Scratch scratch = new Scratch()) {
        work.accept(scratch);
      }
    }

    @Override
    public void reject(int sender, MalformedPayloadException complaint) {
      throw complaint;
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void spend(long nanos) {}
  }
}
