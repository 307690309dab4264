package dev.grapevine.launch;

import dev.grapevine.security.masking.AgreementKey;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.PairKeys;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.security.interfaces.XECPrivateKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.SecretKey;

/**
 * All bytes that can be reached from an object through fields of Grapevine's classes, arrays,
 * collections and keys: what a worker holds.
 */
final class Belongings {

  private final StringBuilder bytes = new StringBuilder();
  private final SortedMap<Integer, byte[]> secrets = new TreeMap<>();
  private final Map<List<Integer>, List<byte[]>> pairs = new java.util.HashMap<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> open = new ArrayDeque<>();

  private Belongings() {}

  static Belongings of(Object root) {
    Belongings all = new Belongings();
    all.add(root);
    while (!all.open.isEmpty()) {
      all.look(all.open.remove());
    }
    return all;
  }

  private void add(Object object) {
    if (object != null && seen.add(object)) {
      open.add(object);
    }
  }

  private void look(Object object) {
    switch (object) {
      case byte[] some -> note(some);
      case XECPrivateKey key -> note(key.getScalar().orElseThrow());
      case SecretKey key -> note(key.getEncoded());
      case Object[] array -> Arrays.asList(array).forEach(this::add);
      case Map<?, ?> map ->
          map.forEach((key, value) -> {
            add(key);
            add(value);
          });
      case Collection<?> some -> some.forEach(this::add);
      case Optional<?> some -> some.ifPresent(this::add);
      case KeyRing ring -> {
        remember(ring);
        fields(ring);
      }
      default -> fields(object);
    }
  }

  private void note(byte[] some) {
    if (some.length <= 1 << 10) {
      bytes.append(HexFormat.of().formatHex(some)).append(' ');
    }
  }

  private void fields(Object object) {
    for (Class<?> type = object.getClass();
        type != null && type.getName().startsWith("dev.grapevine");
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
          add(value(field, object));
        }
      }
    }
  }

  private static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object value(String field, Object object) {
    try {
      return value(object.getClass().getDeclaredField(field), object);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private void remember(KeyRing ring) {
    int node = (int) value("node", ring);
    AgreementKey own = (AgreementKey) value("own", ring);
    secrets.put(node, ((XECPrivateKey) value("secret", own)).getScalar().orElseThrow());
    ((Map<?, ?>) value("pairs", ring))
        .forEach((peer, keys) ->
            pairs.put(
                List.of(node, (Integer) peer),
                List.of(
                    ((SecretKey) value("mask", (PairKeys) keys)).getEncoded(),
                    ((SecretKey) value("share", (PairKeys) keys)).getEncoded())));
  }

  /** The nodes whose keys are here. */
  Collection<Integer> nodes() {
    return secrets.keySet();
  }

  byte[] secretOf(int node) {
    return secrets.get(node);
  }

  /** All that its nodes agreed on with others. */
  Collection<List<byte[]>> pairs() {
    return pairs.values();
  }

  /** What two of its own nodes agreed on, key by key. */
  List<byte[]> pairsAmongOwn() {
    List<byte[]> among = new ArrayList<>();
    pairs.forEach((who, keys) -> {
      if (secrets.keySet().containsAll(who)) {
        among.addAll(keys);
      }
    });
    return among;
  }

  /** Whether some bytes are anywhere in it, also within others. */
  boolean holds(byte[] some) {
    return bytes.indexOf(HexFormat.of().formatHex(some)) >= 0;
  }
}
