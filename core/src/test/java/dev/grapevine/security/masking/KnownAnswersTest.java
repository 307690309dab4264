package dev.grapevine.security.masking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownAnswersTest {

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** RFC 7748, section 6.1. */
  @Test
  void x25519AgreesAsTheStandardSays() {
    AgreementKey alice =
        AgreementKey.of(hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
    AgreementKey bob =
        AgreementKey.of(hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
    byte[] agreed = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    assertThat(alice.publicKey())
        .isEqualTo(hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"));
    assertThat(bob.publicKey())
        .isEqualTo(hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"));
    assertThat(alice.agree(bob.publicKey())).isEqualTo(agreed);
    assertThat(bob.agree(alice.publicKey())).isEqualTo(agreed);
  }

  /** RFC 7748, section 5.2: the first two vectors; the second has the highest bit set. */
  @Test
  void x25519MultipliesAsTheStandardSays() {
    assertThat(
            AgreementKey.of(hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"))
                .agree(hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")))
        .isEqualTo(hex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"));
    assertThat(
            AgreementKey.of(hex("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d"))
                .agree(hex("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493")))
        .isEqualTo(hex("95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"));
  }

  @Test
  void aPublicKeyOfSmallOrderIsRefused() {
    AgreementKey own = AgreementKey.of(hex("11".repeat(32)));
    assertThatThrownBy(() -> own.agree(new byte[32])).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> own.agree(new byte[31])).isInstanceOf(IllegalArgumentException.class);
  }

  /** RFC 5869, test case 1. */
  @Test
  void hkdfDerivesAsTheStandardSays() throws GeneralSecurityException {
    byte[] derived =
        KDF.getInstance("HKDF-SHA256")
            .deriveData(
                HKDFParameterSpec.ofExtract()
                    .addIKM(hex("0b".repeat(22)))
                    .addSalt(hex("000102030405060708090a0b0c"))
                    .thenExpand(hex("f0f1f2f3f4f5f6f7f8f9"), 42));
    assertThat(derived)
        .isEqualTo(
            hex(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"));
  }

  /** NIST SP 800-38A, F.5.1. */
  @Test
  void counterModeEncryptsAsTheStandardSays() throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(hex("2b7e151628aed2a6abf7158809cf4f3c"), "AES"),
        new IvParameterSpec(hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")));
    assertThat(
            cipher.doFinal(
                hex(
                    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                        + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")))
        .isEqualTo(
            hex(
                "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                    + "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"));
  }

  /** However many are added in one pass, and whichever of them are taken off. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 9, 17})
  void masksTogetherAreTheSumOfEach(int masks) {
    int count = 9_001;
    for (int bits : new int[] {32, 16}) {
      int[] together = new int[count];
      int[] expected = new int[count];
      try (Scratch scratch = new Scratch()) {
        MaskStream one = new MaskStream(bits);
        MaskStream all = new MaskStream(bits);
        all.begin(scratch);
        for (int mask = 0; mask < masks; mask++) {
          byte[] seed = new byte[MaskStream.SEED_BYTES];
          seed[0] = (byte) mask;
          boolean isOff = mask % 3 == 1;
          if (isOff) {
            all.subtract(seed);
          } else {
            all.add(seed);
          }
          int[] alone = new int[count];
          one.begin(new Scratch());
          one.add(seed);
          one.apply(alone, 0, count);
          for (int i = 0; i < count; i++) {
            expected[i] += isOff ? -alone[i] : alone[i];
          }
        }
        all.apply(together, 0, 5_000);
        all.apply(together, 5_000, count - 5_000);
      }
      for (int i = 0; i < count; i++) {
        int difference = together[i] - expected[i];
        assertThat(bits == 32 ? difference : (short) difference).isZero();
      }
    }
  }

  /** Block by block: the stream is the encryption of 0, 1, 2 …, over all pieces. */
  @Test
  void aMaskIsTheKeyStreamFromZeroOn() throws GeneralSecurityException {
    byte[] seed = hex("2b7e151628aed2a6abf7158809cf4f3c");
    int count = 40_003;
    byte[] blocks = new byte[16 * (count / 4 + 1)];
    for (int block = 0; block < blocks.length / 16; block++) {
      ByteBuffer.wrap(blocks, 16 * block + 12, 4).putInt(block);
    }
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"));
    ByteBuffer stream = ByteBuffer.wrap(cipher.doFinal(blocks)).order(ByteOrder.LITTLE_ENDIAN);
    int[] numbers = new int[count];
    int[] halves = new int[count];
    try (Scratch scratch = new Scratch()) {
      MaskStream words = new MaskStream(32);
      words.begin(scratch);
      words.add(seed);
      words.apply(numbers, 0, count);
      MaskStream shorts = new MaskStream(16);
      shorts.begin(scratch);
      shorts.subtract(seed);
      // In several calls, of which only the first ends with a block of the cipher.
      shorts.apply(halves, 0, 4096);
      shorts.apply(halves, 4096, 10_001);
      shorts.apply(halves, 14_097, count - 14_097);
    }
    for (int i = 0; i < count; i++) {
      assertThat(numbers[i]).isEqualTo(stream.getInt(4 * i));
      assertThat((short) -halves[i]).isEqualTo(stream.getShort(2 * i));
    }
  }

  @Test
  void enoughSharesGiveTheSecretAndFewerGiveAnything() {
    Secrets secrets = Secrets.drawn(Session.drawn("shares"), 0);
    byte[] secret = secrets.next(16);
    for (int shares = 1; shares <= 9; shares++) {
      int threshold = Shamir.threshold(shares);
      byte[][] cut = Shamir.split(secret, shares, threshold, secrets);
      for (int chosen = 0; chosen < 1 << shares; chosen++) {
        if (Integer.bitCount(chosen) == threshold) {
          int which = chosen;
          int[] places =
              java.util.stream.IntStream.range(0, shares)
                  .filter(place -> (which >> place & 1) != 0)
                  .toArray();
          byte[][] some =
              Arrays.stream(places).mapToObj(place -> cut[place]).toArray(byte[][]::new);
          assertThat(Shamir.join(places, some)).isEqualTo(secret);
        }
      }
    }
    // Two of three needed: with one, every secret is as likely as any other.
    int[] seen = new int[256];
    for (int i = 0; i < 256 * 40; i++) {
      seen[Shamir.split(new byte[] {42}, 3, 2, secrets)[1][0] & 0xff]++;
    }
    double chi = Arrays.stream(seen).mapToDouble(n -> (n - 40.0) * (n - 40.0) / 40).sum();
    assertThat(chi).isBetween(170.0, 360.0);
  }

  @Test
  void whatIsSealedOpensForItsSlotAndOwnerOnly() {
    Session session = Session.drawn("sealed");
    PairKeys keys = PairKeys.derive(session, hex("22".repeat(32)), 3, 5, new PairCiphers());
    PairKeys same = PairKeys.derive(session, hex("22".repeat(32)), 5, 3, new PairCiphers());
    assertThat(same.bytes()).isEqualTo(keys.bytes());
    Slot slot = new Slot(7, 11, 0);
    byte[] sealed = keys.seal(slot, 3, hex("00112233445566778899aabbccddeeff"));
    assertThat(same.open(slot, 3, sealed)).isEqualTo(hex("00112233445566778899aabbccddeeff"));
    assertThatThrownBy(() -> same.open(slot, 5, sealed))
        .isInstanceOf(MalformedPayloadException.class);
    assertThatThrownBy(() -> same.open(new Slot(8, 11, 0), 3, sealed))
        .isInstanceOf(MalformedPayloadException.class);
    assertThatThrownBy(() -> same.open(new Slot(7, 12, 0), 3, sealed))
        .isInstanceOf(MalformedPayloadException.class);
    assertThatThrownBy(() -> same.open(new Slot(7, 11, 1), 3, sealed))
        .isInstanceOf(MalformedPayloadException.class);
  }

  @Test
  void ciphersThatAreKeptGiveEachPairItsOwn() {
    Session session = Session.drawn("kept");
    PairCiphers shared = new PairCiphers();
    // More peers than ciphers are kept, each met again after all the others.
    for (int round = 0; round < 3; round++) {
      for (int peer = 1; peer < 150; peer++) {
        byte[] agreed = new byte[32];
        agreed[0] = (byte) peer;
        Slot slot = new Slot(200, round, 0);
        PairKeys alone = PairKeys.derive(session, agreed, peer, 0, new PairCiphers());
        PairKeys kept = PairKeys.derive(session, agreed, 0, peer, shared);
        assertThat(kept.seed(slot)).isEqualTo(alone.seed(slot));
        assertThat(alone.open(slot, 0, kept.seal(slot, 0, agreed))).isEqualTo(agreed);
        assertThat(kept.open(slot, peer, alone.seal(slot, peer, agreed))).isEqualTo(agreed);
      }
    }
  }

  @Test
  void secretsAreGivenAwayOnceAndInOrder() {
    byte[] counted = new byte[1];
    SecureRandom counting =
        new SecureRandom() {
          @Override
          public void nextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
              bytes[i] = counted[0]++;
            }
          }
        };
    Secrets secrets = Secrets.of(counting);
    byte expected = 0;
    for (int i = 0; i < 200; i++) {
      for (byte each : secrets.next(i % 33)) {
        assertThat(each).isEqualTo(expected++);
      }
    }
  }
}
