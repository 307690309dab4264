package dev.grapevine.state;

import dev.grapevine.random.L64X128Mix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that one node remembers between rounds. Whoever keeps something declares it here when it is
 * made: an array, a number, or bytes for what has no fixed size. On a fresh node that changes
 * nothing; a resumed one finds its arrays filled and its numbers set as they were saved.
 *
 * <p>Names of parts are joined by slashes: {@code sharing/replica}. Not safe for concurrent use; a
 * snapshot is taken while the node rests.
 */
public final class State {

  /** What was saved under one name. */
  public sealed interface Saved {}

  /** A vector. */
  public record Floats(float[] values) implements Saved {}

  /** A number. */
  public record Value(long value) implements Saved {}

  /** Anything else, in a form of its owner's own. */
  public record Bytes(byte[] bytes) implements Saved {}

  /** What was saved is of another shape than what is declared now. */
  public static final class UnfitException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    UnfitException(String name, int saved, int size) {
      super(
          "saved state has another size: name=%s, saved=%d, size=%d".formatted(name, saved, size));
    }
  }

  private final String prefix;
  private final Map<String, Supplier<Saved>> declared;
  private final Map<String, Saved> saved;

  private State(String prefix, Map<String, Supplier<Saved>> declared, Map<String, Saved> saved) {
    this.prefix = prefix;
    this.declared = declared;
    this.saved = saved;
  }

  /** The state of a node that begins. */
  public static State fresh() {
    return new State("", new LinkedHashMap<>(4), new HashMap<>(0));
  }

  /** The state of a node that goes on from a {@linkplain #snapshot snapshot}. */
  public static State resumed(Map<String, Saved> snapshot) {
    return new State("", new LinkedHashMap<>(), new HashMap<>(snapshot));
  }

  /** The same state seen by one of its parts, whose names are its own. */
  public State part(String name) {
    return new State(prefix + name + "/", declared, saved);
  }

  /** A vector of zeros, or as it was saved. */
  public float[] floats(String name, int size) {
    return floats(name, new float[size]);
  }

  /** A vector that begins as it is given, or as it was saved; the same array comes back. */
  public float[] floats(String name, float[] initial) {
    if (declare(name, () -> new Floats(initial)) instanceof Floats(float[] values)) {
      if (values.length != initial.length) {
        throw new UnfitException(prefix + name, values.length, initial.length);
      }
      System.arraycopy(values, 0, initial, 0, initial.length);
    }
    return initial;
  }

  /** A number; {@code set} is called at once if it was saved. */
  public void value(String name, LongSupplier get, LongConsumer set) {
    if (declare(name, () -> new Value(get.getAsLong())) instanceof Value(long value)) {
      set.accept(value);
    }
  }

  /** Numbers that belong together; {@code set} is called at once if they were saved. */
  public void values(String name, Supplier<long[]> get, Consumer<long[]> set) {
    bytes(
        name,
        () -> {
          long[] values = get.get();
          ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES * values.length);
          buffer.asLongBuffer().put(values);
          return buffer.array();
        },
        bytes -> {
          long[] values = new long[bytes.length / Long.BYTES];
          ByteBuffer.wrap(bytes).asLongBuffer().get(values);
          set.accept(values);
        });
  }

  /** A stream of random numbers, which goes on where it was saved; the same one comes back. */
  public L64X128Mix stream(String name, L64X128Mix stream) {
    values(name, stream::state, stream::restore);
    return stream;
  }

  /** Bytes in the owner's own form; {@code set} is called at once if they were saved. */
  public void bytes(String name, Supplier<byte[]> get, Consumer<byte[]> set) {
    if (declare(name, () -> new Bytes(get.get())) instanceof Bytes(byte[] bytes)) {
      set.accept(Arrays.copyOf(bytes, bytes.length));
    }
  }

  private @Nullable Saved declare(String name, Supplier<Saved> save) {
    String full = prefix + name;
    if (declared.putIfAbsent(full, save) != null) {
      throw new IllegalArgumentException("state is declared twice: name=" + full);
    }
    // Taken out, since a node would otherwise keep all of its vectors twice.
    return saved.remove(full);
  }

  /** Whether something was saved under the name and has not been declared again yet. */
  public boolean holds(String name) {
    return saved.containsKey(prefix + name);
  }

  /** A copy of everything that was declared in this part, by its full name. */
  public Map<String, Saved> snapshot() {
    return copyOf(view());
  }

  /**
   * Everything that was declared in this part, by its full name. Vectors are their owner's own and
   * change once it goes on.
   */
  public Map<String, Saved> view() {
    Map<String, Saved> view = new LinkedHashMap<>();
    declared.forEach((name, save) -> {
      if (name.startsWith(prefix)) {
        view.put(name, save.get());
      }
    });
    return view;
  }

  /** A copy of a {@linkplain #view view}, which stays as it is. */
  public static Map<String, Saved> copyOf(Map<String, Saved> view) {
    Map<String, Saved> copy = new LinkedHashMap<>(view);
    copy.replaceAll((name, saved) ->
        saved instanceof Floats(float[] values) ? new Floats(values.clone()) : saved);
    return copy;
  }

  /** A view with what was saved and has not been declared again yet. */
  public Map<String, Saved> everything() {
    Map<String, Saved> everything = view();
    saved.forEach((name, value) -> {
      if (name.startsWith(prefix)) {
        everything.putIfAbsent(name, value);
      }
    });
    return everything;
  }
}
