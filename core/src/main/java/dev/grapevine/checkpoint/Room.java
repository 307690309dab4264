package dev.grapevine.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;

/**
 * Memory for what waits to be written. It lies outside of the heap, so that copies which live for a
 * moment do not wear out the collector, and is used again and again. Safe for concurrent use.
 */
final class Room implements AutoCloseable {

  /**
   * What may wait to be written, in bytes. Little, and all of it is kept for the next time: memory
   * that was never touched before costs several times as much to fill.
   */
  private static final long MOST = 48L << 20;

  /** Blocks come in multiples of this, so that one that was used fits again. */
  private static final long GRAIN = 1 << 16;

  private final int grains;

  /** Fair, since it wakes one at a time: a thousand nodes may wait. */
  private final Semaphore left;

  private final Deque<Block> free = new ArrayDeque<>();
  private long freeBytes;
  private boolean closed;

  /** A piece of memory; {@code content} is what of it was asked for. */
  record Block(Arena arena, MemorySegment whole, MemorySegment content) {}

  Room() {
    this(MOST);
  }

  Room(long most) {
    grains = Math.toIntExact(most / GRAIN);
    left = new Semaphore(grains, true);
  }

  /** Takes memory, once there is some; one who is alone gets what it wants. */
  Block take(long bytes) throws InterruptedException {
    long size = Math.ceilDiv(bytes, GRAIN) * GRAIN;
    left.acquire(grainsOf(size));
    synchronized (this) {
      for (Block block : free) {
        if (block.whole().byteSize() == size) {
          free.remove(block);
          freeBytes -= size;
          return new Block(block.arena(), block.whole(), block.whole().asSlice(0, bytes));
        }
      }
    }
    Arena arena = Arena.ofShared();
    MemorySegment whole = arena.allocate(size, Long.BYTES);
    return new Block(arena, whole, whole.asSlice(0, bytes));
  }

  private int grainsOf(long size) {
    return (int) Math.min(grains, size / GRAIN);
  }

  /** Gives it back. */
  void give(Block block) {
    long size = block.whole().byteSize();
    boolean keeps;
    synchronized (this) {
      keeps = !closed && freeBytes + size <= grains * GRAIN;
      if (keeps) {
        // The one that was used last is the likeliest to be in a cache.
        free.push(block);
        freeBytes += size;
      }
    }
    if (!keeps) {
      block.arena().close();
    }
    left.release(grainsOf(size));
  }

  @Override
  public synchronized void close() {
    closed = true;
    free.forEach(block -> block.arena().close());
    free.clear();
    freeBytes = 0;
  }
}
