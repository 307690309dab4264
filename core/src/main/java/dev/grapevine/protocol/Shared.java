package dev.grapevine.protocol;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What the nodes of one process need alike and compute only once, such as a graph. */
public final class Shared {

  private final Map<Object, Object> values = new ConcurrentHashMap<>();

  /** The value of {@code key}, made by the first who asks; equal keys mean equal values. */
  @SuppressWarnings("unchecked") // the key decides the type, as the caller promises
  public <T> T get(Object key, Supplier<T> make) {
    return (T) values.computeIfAbsent(key, missing -> make.get());
  }
}
