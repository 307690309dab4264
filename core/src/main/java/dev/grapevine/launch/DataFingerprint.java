package dev.grapevine.launch;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.DealtData;
import dev.grapevine.engine.Batch;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Tells data sets apart: SHA-256 over the number of samples and an evenly spaced thousand of them,
 * as the nodes see them. Enough to notice another version of a set, and quick for a large one.
 */
final class DataFingerprint {

  private static final int LOOKED_AT = DealtData.ALWAYS_HELD;

  /** Enough to notice another set among processes that are about to start the same run. */
  private static final int GLANCED_AT = 64;

  private DataFingerprint() {}

  static SequencedMap<String, String> of(DataSplits splits) {
    return of(splits, LOOKED_AT);
  }

  /** The same over fewer samples: a process that has just started computes slowly. */
  static SequencedMap<String, String> glance(DataSplits splits) {
    return of(splits, GLANCED_AT);
  }

  private static SequencedMap<String, String> of(DataSplits splits, int most) {
    SequencedMap<String, String> hashes = new LinkedHashMap<>();
    hashes.put(splits.train().name() + " train", of(splits.train(), most));
    splits.validation().ifPresent(set -> hashes.put(set.name() + " validation", of(set, most)));
    hashes.put(splits.test().name() + " test", of(splits.test(), most));
    return hashes;
  }

  private static String of(DataSet set, int most) {
    MessageDigest digest = sha256();
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, set.size()));
    Batch batch = set.batch(1);
    ByteBuffer bytes =
        ByteBuffer.allocate(Float.BYTES * (batch.inputs().length + batch.targets().length));
    int held = Math.min(LOOKED_AT, set.size());
    int count = Math.min(most, held);
    for (int i = 0; i < count; i++) {
      int looked = DealtData.spaced(i, count, held);
      set.read(DealtData.spaced(looked, held, set.size()), batch, 0);
      bytes.clear();
      bytes.asFloatBuffer().put(batch.inputs()).put(batch.targets());
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
