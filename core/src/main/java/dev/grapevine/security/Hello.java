package dev.grapevine.security;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;

/**
 * The words that a connection begins with, at both ends, plain or inside TLS:
 *
 * <pre>
 *   opener    magic, version, purpose, from, to, number A
 *   acceptor  GO_ON, number B, proof as acceptor
 *   opener    GO_ON, proof as opener
 *   acceptor  GO_ON
 * </pre>
 *
 * A and B are random. A proof is one of the run's secret over role, purpose, from, to, A, B and
 * both certificates (empty without TLS). Instead of going on either end may say why it does not.
 */
final class Hello {

  /** The first four bytes: "GRPH". TLS begins with 22, so that the two cannot be mixed up. */
  static final int MAGIC = 'G' | 'R' << 8 | 'P' << 16 | 'H' << 24;

  static final int VERSION = 1;
  static final int OPENING_BYTES = 48;
  static final int NUMBER_BYTES = 32;
  static final int LONGEST_REASON = 500;

  private static final byte GO_ON = 0;
  private static final byte REFUSED = 1;
  private static final String OPENER = "grapevine opener 1";
  private static final String ACCEPTOR = "grapevine acceptor 1";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final LinkChannel channel;
  private final RunSecret secret;
  private final byte[] own;
  private byte[] openerNumber = new byte[0];
  private byte[] acceptorNumber = new byte[0];

  /**
   * @param own this end's certificate, empty without TLS
   */
  Hello(LinkChannel channel, RunSecret secret, byte[] own) {
    this.channel = channel;
    this.secret = secret;
    this.own = own;
  }

  private static byte[] randomNumber() {
    byte[] bytes = new byte[NUMBER_BYTES];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  // --- the end that opens

  /** Says who this is and asks to be let in. */
  void open(Greeting said) throws IOException {
    openerNumber = randomNumber();
    channel.writeFully(
        ByteBuffer.allocate(OPENING_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC)
            .put((byte) VERSION)
            .put((byte) said.purpose().ordinal())
            .putShort((short) 0)
            .putInt(said.from())
            .putInt(said.to())
            .put(openerNumber)
            .flip());
    expectGoOn(said.acceptor());
    acceptorNumber = bytes(NUMBER_BYTES);
    byte[] proof = bytes(RunSecret.PROOF_BYTES);
    if (!secret.verifies(proof, ACCEPTOR, parts(said, true))) {
      String reason = "%s does not know the secret of this run".formatted(said.acceptor());
      refuse("the one who opened this connection has another run secret");
      throw new RefusedException(reason);
    }
    channel.writeFully(
        ByteBuffer.allocate(1 + RunSecret.PROOF_BYTES)
            .put(GO_ON)
            .put(secret.proof(OPENER, parts(said, true)))
            .flip());
    expectGoOn(said.acceptor());
  }

  // --- the end that accepts

  /**
   * Hears who wants to be let in, and lets him prove it.
   *
   * @param begun the first bytes, which were read already
   */
  Greeting receive(ByteBuffer begun) throws IOException {
    ByteBuffer opening = ByteBuffer.allocate(OPENING_BYTES).put(begun);
    if (!channel.readFully(opening)) {
      throw new EOFException("it left before it had said who it is");
    }
    Greeting heard = parse(opening.flip());
    acceptorNumber = randomNumber();
    channel.writeFully(
        ByteBuffer.allocate(1 + NUMBER_BYTES + RunSecret.PROOF_BYTES)
            .put(GO_ON)
            .put(acceptorNumber)
            .put(secret.proof(ACCEPTOR, parts(heard, false)))
            .flip());
    expectGoOn("whoever says that it is " + heard.opener());
    if (!secret.verifies(bytes(RunSecret.PROOF_BYTES), OPENER, parts(heard, false))) {
      String reason =
          "whoever says that it is %s does not know the secret of this run"
              .formatted(heard.opener());
      refuse("the proof does not fit the secret of this run");
      throw new RefusedException(reason);
    }
    return heard;
  }

  private Greeting parse(ByteBuffer opening) throws RefusedException {
    opening.order(ByteOrder.LITTLE_ENDIAN);
    int magic = opening.getInt();
    if (magic != MAGIC) {
      throw new RefusedException(
          "no greeting: magic=0x%08x, expected=0x%08x".formatted(magic, MAGIC));
    }
    int version = opening.get() & 0xff;
    if (version != VERSION) {
      String reason =
          "greeting of another version: version=%d, expected=%d".formatted(version, VERSION);
      refuse(reason);
      throw new RefusedException(reason);
    }
    int purpose = opening.get() & 0xff;
    Greeting.Purpose[] purposes = Greeting.Purpose.values();
    if (purpose >= purposes.length || opening.getShort() != 0) {
      throw new RefusedException("greeting for no known purpose: purpose=" + purpose);
    }
    Greeting heard = new Greeting(purposes[purpose], opening.getInt(), opening.getInt());
    openerNumber = new byte[NUMBER_BYTES];
    opening.get(openerNumber);
    return heard;
  }

  /** Lets the opener in. */
  void welcome() throws IOException {
    channel.writeFully(ByteBuffer.wrap(new byte[] {GO_ON}));
  }

  // --- both

  private byte[][] parts(Greeting said, boolean isOpener) throws IOException {
    byte[] other;
    try {
      X509Certificate certificate = channel.peerCertificate().orElse(null);
      other = certificate == null ? new byte[0] : certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new RefusedException("its certificate cannot be encoded", e);
    }
    byte[] who =
        ByteBuffer.allocate(1 + 2 * Integer.BYTES)
            .put((byte) said.purpose().ordinal())
            .putInt(said.from())
            .putInt(said.to())
            .array();
    return new byte[][] {
      who, openerNumber, acceptorNumber, isOpener ? own : other, isOpener ? other : own
    };
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    if (!channel.readFully(ByteBuffer.wrap(bytes))) {
      throw new EOFException("it left before it had proved who it is");
    }
    return bytes;
  }

  private void expectGoOn(String other) throws IOException {
    byte word = bytes(1)[0];
    if (word == REFUSED) {
      int length =
          Math.min(
              ByteBuffer.wrap(bytes(Short.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getShort()
                  & 0xffff,
              LONGEST_REASON);
      // It comes from one who has proved nothing yet: shown as what it is, and harmless to a
      // terminal.
      String reason =
          new String(bytes(length), StandardCharsets.UTF_8).replaceAll("[^\\p{Print}]", "?");
      throw new RefusedException("%s refuses: %s".formatted(other, reason));
    }
    if (word != GO_ON) {
      throw new RefusedException("%s answers with what is no greeting".formatted(other));
    }
  }

  /** Tells the other end why it goes no further, if it still listens. */
  void refuse(String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_REASON);
    try {
      channel.writeFully(
          ByteBuffer.allocate(1 + Short.BYTES + length)
              .order(ByteOrder.LITTLE_ENDIAN)
              .put(REFUSED)
              .putShort((short) length)
              .put(text, 0, length)
              .flip());
    } catch (IOException e) {
      // It is turned away either way.
      return;
    }
  }
}
